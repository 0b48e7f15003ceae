"""A project as a small site: a list, and pages that stand alone."""

import re
from pathlib import Path

import pytest

from bough.export.document_options import ExportFormat, ExportOptions
from bough.export.site import write_site
from bough.query.lists.projects import project_listings
from bough.sample import session
from tests.conftest import Home

EMPTY = session("empty").session_id


@pytest.fixture
def history(home: Home) -> Home:
    with home.writing() as folder:
        for number in range(5):
            builder = session(f"s{number}", cwd="/home/dev/shop").user(f"Task <{number}>")
            builder.assistant("Done.").write(folder)
        session("empty", cwd="/home/dev/shop").title("Nothing said").write(folder)
    return home


def test_the_list_leads_to_every_page(history: Home, tmp_path: Path) -> None:
    pages = write_site(
        project_listings([history.path]), ExportOptions(to=ExportFormat.HTML), tmp_path
    )

    names = {path.name for path in tmp_path.glob("*.html")}
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'<li><a href="([^"]*)"', text))
    assert linked == names - {"index.html"}
    assert len(pages) == len(linked) == 5
    assert "Task &lt;3&gt;" in text
    assert "<h1>shop</h1>" in text


def test_in_markdown_the_list_is_the_readme(history: Home, tmp_path: Path) -> None:
    write_site(project_listings([history.path]), ExportOptions(), tmp_path)

    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# shop\n\n- [Task")
    assert len(re.findall(r"\]\(<([^>]+\.md)>\)", text)) == 5


def test_progress_is_told(history: Home, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []

    write_site(
        project_listings([history.path]),
        ExportOptions(),
        tmp_path,
        lambda done, everything: heard.append((done, everything)),
    )

    assert heard == [(number, 6) for number in range(1, 7)]


def test_what_cannot_be_read_is_a_problem_and_the_rest_is_written(
    history: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings = project_listings([history.path])
    *_, lost = (s.path for s in listings[0].sessions if s.path and s.id != EMPTY)
    monkeypatch.setattr("os.cpu_count", lambda: 1)

    def lose(done: int, everything: int) -> None:
        if done == 1 and lost.exists():
            with history.writing():
                lost.unlink()

    pages = write_site(listings, ExportOptions(), tmp_path, lose)

    problems = [page.problem for page in pages if page.problem]
    assert len(pages) == 5
    assert len(problems) == 1
    assert "Cannot read" in problems[0]
