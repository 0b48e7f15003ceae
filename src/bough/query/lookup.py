"""A project or a session by what a person calls it: one rule, wherever it is looked for.

A project goes by its folder's name or place, then by the path that its records name, then by
its name; as it is written first, then whatever the case. A session goes by its file's path,
by `latest`, by its id, and by the beginning of an id that no other has. Where nothing fits,
the error names what is written nearly so.

The rules are `choose_project` and `choose_session`. What they choose from differs: files are
looked through by `lists.session_lookup`, the usage of calls by `usage.usage_lookup` and the
index by `stats.stats_scope`, which also know what is gone from disk; the web app knows sessions
by the ids of its addresses.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from msgspec import Struct

from bough.errors import (
    AmbiguousProject,
    AmbiguousSession,
    NotFound,
    ProjectNotFound,
    SessionNotFound,
)
from bough.model.text.formats import base_name_of

if TYPE_CHECKING:
    from bough.files.discover import ProjectFiles

# What reads files takes most of the package, so it is loaded only where files are looked at.

_ALIKE: Final = 0.5
"""So alike must two names be for one to be meant by the other; 1 is the same."""
_ABOUT_AS_ALIKE: Final = 0.1
"""Names that are less alike than the nearest, by more than this, are not worth naming."""
_MOST_NEAREST: Final = 3
_SHORT_ID: Final = 8
_SHORTEST_COMPARED: Final = 4
_LONGEST_COMPARED: Final = 64

T = TypeVar("T")


class ProjectNames(Struct, Generic[T], frozen=True):
    """What a project goes by, and what is looked for: `about`."""

    dir: str
    folder: str
    path: str | None
    name: str
    about: T


# -- rules --------------------------------------------------------------------------------------


def choose_project(wanted: str, known: Iterable[ProjectNames[T]]) -> T:
    """Choose the one project that is meant.

    Raises:
        AmbiguousProject: Several are called so.
        ProjectNotFound: None is; it names those that are called nearly so.
    """
    projects = list(known)
    spelled, folded = list_path_spellings(wanted), wanted.casefold()
    rules: tuple[Callable[[ProjectNames[T]], bool], ...] = (
        lambda one: wanted in (one.dir, one.folder),
        lambda one: one.path in spelled or one.folder in spelled,
        lambda one: one.name == wanted,
        lambda one: (one.path or "").casefold() == folded,
        lambda one: one.name.casefold() == folded,
    )
    for fits in rules:
        matches = [one for one in projects if fits(one)]
        if len(matches) == 1:
            return matches[0].about
        if matches:
            raise AmbiguousProject(wanted, [_label_project(one, matches) for one in matches])
    raise ProjectNotFound(wanted, find_nearest(wanted, {one.name: one.name for one in projects}))


def choose_session(
    wanted: str, known: Sequence[tuple[str, T]], title_of: Callable[[T], str] = lambda _: ""
) -> T:
    """Choose a session by its id, or by the beginning of one that no other has.

    Args:
        wanted: What a person wrote.
        known: Ids, and what is looked for by them; an id that stands there twice is ambiguous.
        title_of: Asked for the titles of the nearest, where none is found.

    Raises:
        AmbiguousSession: Several ids begin so.
        SessionNotFound: None does; it names those that nearly do.
    """
    prefix = wanted.casefold()
    found = [one for one in known if one[0] == wanted]
    found = found or [one for one in known if prefix and one[0].casefold().startswith(prefix)]
    if len(found) > 1:
        raise AmbiguousSession(wanted, [session for session, _ in found])
    if found:
        return found[0][1]
    length = max(_SHORTEST_COMPARED, len(wanted))
    nearest = _begin_alike(prefix, [one[0] for one in known]) or find_nearest(
        wanted, {one[0]: one[0][:length] for one in known}
    )
    about = dict(known)
    raise SessionNotFound(
        wanted, [f"{one[:_SHORT_ID]} {title_of(about[one])}".rstrip() for one in nearest]
    )


def _begin_alike(prefix: str, ids: Sequence[str]) -> list[str]:
    """List the ids that share most of a beginning; people err in the middle of an id."""
    shared = {one: _count_shared(prefix, one.casefold()) for one in ids}
    most = max(shared.values(), default=0)
    if most < _SHORTEST_COMPARED:
        return []
    return sorted(one for one, length in shared.items() if length == most)[:_MOST_NEAREST]


def _count_shared(one: str, other: str) -> int:
    """Count the letters with which both begin."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def find_nearest(wanted: str, names: Mapping[str, str]) -> list[str]:
    """Find what is written nearly like this, the nearest first: keys, by what they are called."""
    folded = wanted.casefold()[:_LONGEST_COMPARED]
    called: dict[str, list[str]] = {}
    for key, name in sorted(names.items()):
        called.setdefault(name.casefold()[:_LONGEST_COMPARED], []).append(key)
    close = get_close_matches(folded, called, _MOST_NEAREST, _ALIKE)
    alike = [SequenceMatcher(None, name, folded).ratio() for name in close]
    worth = [
        name
        for name, ratio in zip(close, alike, strict=True)
        if ratio >= alike[0] - _ABOUT_AS_ALIKE
    ]
    return [key for name in worth for key in called[name]][:_MOST_NEAREST]


def is_session_path(wanted: str) -> bool:
    """Tell a session's path from the beginning of its id."""
    return wanted.endswith(".jsonl") or "/" in wanted or "\\" in wanted


def explain_missing(
    wanted: str, session: SessionNotFound, project: ProjectNotFound | None = None
) -> NotFound:
    """Say that nothing goes by a name that may have been a session's or a project's."""
    nearest = [error.message.partition("Nearest: ")[2] for error in (session, project) if error]
    listed = " bough projects and bough sessions list what there is."
    hint = next((f" Nearest: {words}" for words in nearest if words), listed)
    return NotFound(f"No project and no session is called {wanted}.{hint}")


def list_path_spellings(wanted: str) -> set[str]:
    """List how records may write a path: as it was given, and where it leads."""
    try:
        path = Path(wanted).expanduser()
        return {wanted, wanted.rstrip("/\\") or wanted, str(path.absolute()), str(path.resolve())}
    except (OSError, RuntimeError, ValueError):
        return {wanted}


def _label_project(one: ProjectNames[T], matches: Sequence[ProjectNames[T]]) -> str:
    """Name a project so that a person can tell it from the others."""
    alike = sum(match.dir == one.dir for match in matches) > 1
    return one.folder if alike else one.dir


def choose_session_by_path(wanted: str, paths: Mapping[str, str], titles: Mapping[str, str]) -> str:
    """Choose an id by its file's path or itself; `paths` gives the id of each file.

    A file that lies elsewhere, or no longer, still names its session.
    """
    if not is_session_path(wanted):
        return choose_session(wanted, [(one, one) for one in titles], titles.__getitem__)
    spelled = list_path_spellings(wanted)
    by_path = next((one for path, one in paths.items() if path in spelled), None)
    name = base_name_of(wanted).removesuffix(".jsonl")
    return by_path or choose_session(name, [(one, one) for one in titles], titles.__getitem__)


# -- among files --------------------------------------------------------------------------------


def find_project(wanted: str, listings: Sequence["ProjectFiles"]) -> "ProjectFiles":
    """Find a project by its folder's name, its path or its name."""
    # Its path is in its files; where the folder says enough, none is opened.
    by_dir = [p for p in listings if wanted in (p.dir, p.folder)]
    if len(by_dir) == 1:
        return by_dir[0]
    return choose_project(wanted, (_listing_names(listing) for listing in listings))


def _listing_names(listing: "ProjectFiles") -> "ProjectNames[ProjectFiles]":
    from bough.ingest.project_names import find_project_path  # noqa: PLC0415
    from bough.query.byte_sources import USUAL_SOURCES  # noqa: PLC0415

    path = find_project_path(listing, USUAL_SOURCES)
    name = base_name_of(path or listing.dir)
    return ProjectNames(listing.dir, listing.folder, path, name, listing)
