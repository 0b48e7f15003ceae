"""Pull requests: what the client says came out of a session."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from bough.records.record import Record


class PullRequest(Struct, frozen=True):
    """A pull request: its number, whose it is, and its page where the client named one."""

    number: int
    repository: str | None = None
    url: str | None = None

    @property
    def label(self) -> str:
        """Name it as people do: `owner/name#12`."""
        return f"{self.repository or ''}#{self.number}"


def find_pull_requests(records: "Iterable[Record]") -> list[PullRequest]:
    """List the pull requests of a session, each once, in the order they came."""
    from bough.records.types import PrLink  # noqa: PLC0415 - 3 ms; lists from the index need none

    found: dict[tuple[str | None, int], PullRequest] = {}
    for record in records:
        if type(record) is PrLink and record.pr_number is not None:
            key = (record.pr_repository, record.pr_number)
            found[key] = PullRequest(record.pr_number, record.pr_repository, record.pr_url)
    return list(found.values())


def format_pull_requests(found: Iterable[PullRequest]) -> str:
    """Write pull requests in a row; those of one repository name it once."""
    words: list[str] = []
    repository: str | None = None
    for one in found:
        words.append(f"#{one.number}" if words and one.repository == repository else one.label)
        repository = one.repository
    return ", ".join(words)


def describe_pull_requests(found: Sequence[PullRequest]) -> str:
    """Say which pull requests came out of a session; nothing where none did."""
    if not found:
        return ""
    return f"{'pull request' if len(found) == 1 else 'pull requests'} {format_pull_requests(found)}"


def abbreviate_pull_requests(found: Sequence[PullRequest]) -> str:
    """Name pull requests by their numbers alone, for a row of a list."""
    return f"PR {', '.join(f'#{one.number}' for one in found)}" if found else ""
