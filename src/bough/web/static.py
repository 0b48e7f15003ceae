"""The page itself: built files that lie in the package, listed and then served by name.

A path from an address is looked up among the files that were listed; it is never joined
to a folder. Every address that is no file and no question gets the page: it knows what to
show there.
"""

import mimetypes
from pathlib import Path
from typing import Final

from starlette.responses import Response

from bough.web.responses import error_response
from bough.web.wire.about import Fault

STATIC: Final = Path(__file__).parent / "static"
_PAGE: Final = "index.html"
_FOREVER: Final = "public, max-age=31536000, immutable"
_EMPTY: Final = 'name="bough-token" content=""'
_HASHED: Final = "assets/"
_KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}


class PageFiles:
    """The files of the page."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._files: dict[str, Path] = {}

    def answer(self, path: str, token: str) -> Response:
        """Give a file of the page, or the page."""
        name = path.lstrip("/")
        file = self._find_file(name)
        if file is not None and name != _PAGE:
            cached = _FOREVER if name.startswith(_HASHED) else "no-cache"
            kind = _KINDS.get(file.suffix) or mimetypes.guess_type(file.name)[0]
            headers = {"Cache-Control": cached}
            return Response(file.read_bytes(), media_type=kind, headers=headers)
        is_file = name.startswith((_HASHED, "api/")) or Path(name).suffix in _KINDS
        if is_file and name != _PAGE:
            return error_response(404, Fault("not_found", "There is nothing at this address."))
        page = self._find_file(_PAGE)
        if page is None:
            return Response(_NOT_BUILT, 503, media_type="text/html")
        # The token stands in the page: only whoever may read the page has it.
        text = page.read_text(encoding="utf-8").replace(_EMPTY, _EMPTY[:-1] + f'{token}"', 1)
        return Response(text, media_type="text/html", headers={"Cache-Control": "no-store"})

    def _find_file(self, name: str) -> Path | None:
        if name not in self._files:
            self._files = {
                file.relative_to(self._folder).as_posix(): file
                for file in self._folder.rglob("*")
                if file.is_file() and not file.is_symlink()
            }
        return self._files.get(name)


_NOT_BUILT: Final = (
    "<!doctype html><title>bough</title><p>The page was not built. Run <code>make page"
    "</code> in a source tree, or install bough from a package."
)
