"""The time between two moments, from what the clients wrote."""

from bough.model.text.times import moment_of


def seconds_between(first: str | None, last: str | None) -> float | None:
    """Measure from one time to another; None where one is missing or they go backwards."""
    start, end = moment_of(first), moment_of(last)
    if start is None or end is None or end < start:
        return None
    return (end - start).total_seconds()
