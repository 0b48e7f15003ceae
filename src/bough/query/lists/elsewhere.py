"""Titles of sessions that stand in other files.

Old clients wrote a session's summary into the files of later ones. It is the better title
where the session itself has only its prompts to be named by.
"""

from collections.abc import Mapping, Sequence

from bough.model.text.headline import is_title, one_line

_STRONGER = frozenset({"custom-title", "ai-title", "summary"})


def may_have_better_title(source: str | None) -> bool:
    """Tell whether a summary elsewhere would be preferred to a title of this source."""
    return source not in _STRONGER


def title_of(
    session: str, own: str | None, file: int | None, others: Mapping[int, Sequence[str]]
) -> str:
    """Choose a session's title; `others` holds the summaries in other files, by file."""
    better = None if file is None else better_title(file, others)
    return better or own or f"Session {session[:8]}"


def better_title(file: int, others: Mapping[int, Sequence[str]]) -> str | None:
    """Give the last summary in another file that can serve as a title."""
    told = others.get(file)
    if not told:
        return None
    better = next((text for text in reversed(told) if is_title(text)), None)
    return None if better is None else one_line(better)
