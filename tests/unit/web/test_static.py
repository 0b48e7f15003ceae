"""The files of the page."""

from pathlib import Path

import pytest

from bough.web.static import PageFiles


@pytest.fixture
def built(tmp_path: Path) -> PageFiles:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "index.html").write_text(
        '<html><head><meta name="bough-token" content="" /></head>page</html>'
    )
    (folder / "assets" / "app-1a2b.js").write_text("code")
    (folder / "assets" / "link.js").symlink_to(tmp_path / "secret.txt")
    (folder / "icon.svg").write_text("<svg/>")
    return PageFiles(folder)


@pytest.mark.parametrize("path", ["/", "/index.html", "/s/3f9c", "/search", "/live", "//", "/.."])
def test_addresses_of_screens_give_the_page_with_its_token(built: PageFiles, path: str) -> None:
    answer = built.answer(path, "t0ken")

    assert answer.status_code == 200
    assert b'name="bough-token" content="t0ken"' in answer.body
    assert answer.headers["cache-control"] == "no-store"


def test_hashed_files_are_kept_for_good(built: PageFiles) -> None:
    answer = built.answer("/assets/app-1a2b.js", "t")

    assert answer.body == b"code"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


def test_other_files_are_asked_for_again(built: PageFiles) -> None:
    answer = built.answer("/icon.svg", "t")

    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/missing.js",
        "/assets/../../secret.txt.js",
        "/assets/link.js",
        "/missing.css",
        "/api/nothing",
    ],
)
def test_what_is_not_there_is_not_the_page(built: PageFiles, path: str) -> None:
    assert built.answer(path, "t").status_code == 404


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..\\secret.txt"])
def test_no_path_leads_out(built: PageFiles, path: str) -> None:
    assert built.answer(path, "t").body != b"secret"


def test_a_page_that_was_not_built_says_so(tmp_path: Path) -> None:
    answer = PageFiles(tmp_path).answer("/", "t")

    assert answer.status_code == 503
    assert b"not built" in answer.body
