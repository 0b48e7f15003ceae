"""A project by what a person calls it: one rule, wherever projects are looked for.

By its folder's name or place first, then by the path its records name, then by its name; as
it is written first, then whatever the case.
"""

import difflib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct

from bough.errors import AmbiguousProject, ProjectNotFound

T = TypeVar("T")


class ProjectNames(Struct, Generic[T], frozen=True):
    """What a project goes by, and what is looked for: `about`."""

    dir: str
    folder: str
    path: str | None
    name: str
    about: T


def find_by_name(wanted: str, known: Iterable[ProjectNames[T]]) -> T:
    """Find the one project that is meant.

    Raises:
        AmbiguousProject: Several are called so.
        ProjectNotFound: None is; it names those that are called nearly so.
    """
    projects = list(known)
    spelled, folded = _path_spellings(wanted), wanted.casefold()
    ways: tuple[Callable[[ProjectNames[T]], bool], ...] = (
        lambda one: wanted in (one.dir, one.folder),
        lambda one: one.path in spelled or one.folder in spelled,
        lambda one: one.name == wanted,
        lambda one: (one.path or "").casefold() == folded,
        lambda one: one.name.casefold() == folded,
    )
    for fits in ways:
        matches = [one for one in projects if fits(one)]
        if len(matches) == 1:
            return matches[0].about
        if matches:
            raise AmbiguousProject(wanted, [_label_project(one, matches) for one in matches])
    names = sorted({one.name for one in projects})
    raise ProjectNotFound(wanted, difflib.get_close_matches(wanted, names))


def _path_spellings(wanted: str) -> set[str]:
    """List the ways in which records may write a path that a person gave."""
    try:
        path = Path(wanted).expanduser()
        return {wanted, wanted.rstrip("/\\") or wanted, str(path.absolute()), str(path.resolve())}
    except (OSError, RuntimeError, ValueError):
        return {wanted}


def _label_project(one: ProjectNames[T], matches: Sequence[ProjectNames[T]]) -> str:
    """Name a project so that a person can tell it from the others."""
    alike = sum(match.dir == one.dir for match in matches) > 1
    return one.folder if alike else one.dir
