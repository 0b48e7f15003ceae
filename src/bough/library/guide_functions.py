"""The guide: the pages of `docs/`, which a wheel carries inside the package.

In a clone the package has no copy, and the pages beside it are read.
"""

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.errors import NotFound
from bough.query.lookup import find_nearest

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class GuidePage(Struct, frozen=True, omit_defaults=True):
    """A page of the guide, by its name; `text` is Markdown, empty in a list of pages."""

    name: str
    title: str
    text: str = ""


def list_guide_pages() -> list[GuidePage]:
    """List the pages of the guide, by name."""
    return [GuidePage(page.name, page.title) for page in map(_read_page, _find_pages())]


def read_guide_page(name: str) -> GuidePage:
    """Read a page of the guide.

    Raises:
        NotFound: No page is called so; it names the nearest.
    """
    pages = {_name_page(one): one for one in _find_pages()}
    wanted = name.removesuffix(".md").casefold()
    if wanted not in pages:
        nearest = find_nearest(wanted, {one: one for one in pages})
        hint = f" Nearest: {', '.join(nearest)}." if nearest else " bough docs lists them."
        raise NotFound(f"No page is called {name}.{hint}")
    return _read_page(pages[wanted])


def _find_pages() -> "list[Traversable]":
    packed = files("bough") / "guide"
    folder: Traversable = packed if packed.is_dir() else Path(__file__).parents[3] / "docs"
    if not folder.is_dir():
        raise NotFound("This bough was installed without its guide.")
    return sorted(
        (one for one in folder.iterdir() if one.name.endswith(".md")), key=lambda one: one.name
    )


def _read_page(place: "Traversable") -> GuidePage:
    text = place.read_text(encoding="utf-8")
    return GuidePage(_name_page(place), text.partition("\n")[0].lstrip("# ").strip(), text)


def _name_page(place: "Traversable") -> str:
    return place.name.removesuffix(".md").casefold()
