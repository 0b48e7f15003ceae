"""The HTML file: it stands alone, asks for nothing, and its links lead somewhere."""

import base64
import re

import pytest
from msgspec.structs import replace

from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.export.html.page import POLICY
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image
from tests.unit.export.fragments import Reader
from tests.unit.model.opened import opened

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def page_of(builder: SampleSession, *, without: str = "", everything: bool = False) -> str:
    """Write a session as a page."""
    include = ExportOptions(to=ExportFormat.HTML, all_branches=everything)
    if without:
        include = replace(include, **{without: False})
    return export_session(opened(builder), include).body.decode()


def long_book() -> SampleSession:
    builder = session(cwd="/home/dev/shop").user("Mend @cli/main.py").thinking("Let me see. " * 80)
    for number in range(12):
        builder.tool("Bash", {"command": f"run {number}"}, "line\n" * 40)
    builder.agent("Explore", "look", answer="Found.").assistant(
        "```py\nx = 1\n```\n[a](https://a.b)"
    )
    return builder.compact("Summary: fine.").user("On").assistant("Yes.", name="yes")


def test_it_loads_nothing_and_runs_nothing() -> None:
    tags = Reader(page_of(long_book())).tags

    names = {name for name, _ in tags}
    assert not names & {"script", "link", "iframe", "object", "embed", "form", "base", "button"}
    assert not [a for _, given in tags for a in given if a.startswith("on") or a == "style"]
    assert not [
        given["src"] for _, given in tags if not given.get("src", "data:").startswith("data:")
    ]


def test_the_policy_stands_before_anything_else_could_load() -> None:
    page = page_of(long_book())

    assert page.index(f'content="{POLICY}"') < page.index("<style>")
    assert POLICY == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def test_the_looks_are_inside_and_load_nothing_either() -> None:
    style = page_of(long_book()).partition("<style>")[2].partition("</style>")[0]

    assert "--bg: light-dark(" in style
    assert ".piece" in style
    assert "url(" not in style
    assert "@import" not in style


def test_every_fold_has_its_body_inside() -> None:
    page = page_of(long_book())

    assert "data-body" not in page
    assert '<div class="body"></div>' not in page
    assert page.count("<details") > 10


def test_links_inside_the_page_lead_to_a_place_in_it() -> None:
    tags = Reader(page_of(long_book())).tags

    places = {given["id"] for _, given in tags if "id" in given}
    inner = [given["href"][1:] for tag, given in tags if tag == "a" and given["href"][0] == "#"]
    assert len(inner) >= 3
    assert set(inner) <= places
    assert len(places) == sum("id" in given for _, given in tags)


def test_buttons_are_gone_but_what_they_said_is_not() -> None:
    page = page_of(long_book())

    assert ">@cli/main.py</span>" in page
    assert "Copy" not in re.sub("<style>.*?</style>", "", page, flags=re.DOTALL)


def test_pictures_are_in_the_file() -> None:
    builder = session().user([image(PNG)]).assistant("A picture.")

    encoded = base64.b64encode(PNG).decode()
    assert f'src="data:image/png;base64,{encoded}"' in page_of(builder)


def test_the_outline_lists_prompts_and_seams() -> None:
    page = page_of(long_book())

    outline = page.partition("<nav")[2].partition("</nav>")[0]
    assert "Mend @cli/main.py" in outline
    assert "Compacted" in outline


def test_hostile_words_stay_words() -> None:
    bad = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    builder = (
        session(cwd=f"/home/{bad}").user(bad).assistant(bad).tool("Bash", {"command": bad}, bad)
    )

    tags = Reader(page_of(builder.title(bad))).tags

    assert "script" not in {name for name, _ in tags}
    assert "img" not in {name for name, _ in tags}


@pytest.mark.parametrize("part", ["thinking", "tools", "results", "agents"])
def test_what_is_not_wanted_is_not_in_it(part: str) -> None:
    builder = (
        session().user("go").thinking("a-thought").tool("Bash", {"command": "a-call"}, "a-result")
    )
    builder.agent("Explore", "look", answer="An answer.", work=lambda a: a.assistant("inner words"))
    signs = {
        "thinking": "a-thought",
        "tools": "a-call",
        "results": "a-result",
        "agents": "inner words",
    }

    page = page_of(builder.assistant("ok"), without=part)

    assert {name for name, sign in signs.items() if sign not in page} >= {part}
    kept = {"thinking", "agents"} - {part}
    assert all(signs[name] in page for name in kept)


def test_other_branches_follow_with_what_is_theirs_alone() -> None:
    builder = session().user("shared words").assistant("a", name="a").user("left").assistant("b")
    builder.at("a").user("taken").assistant("c")

    page = page_of(builder, everything=True)

    assert page.count("<h2>Branch left behind") == 1
    assert page.partition("<main")[2].count("shared words") == 1
