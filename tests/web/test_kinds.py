"""Every kind of record stands as what it is."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from bough.sample import session
from bough.sample.data import blocks
from tests.web.conftest import Opened
from tests.web.screens import settled
from tests.web.serving import Served

# More than is kept in the record.
_LONG = "".join(f"line {number} of the long output\n" for number in range(1, 4_000))
_TODOS = [{"content": "Count the rows", "status": "completed", "activeForm": "Counting"}]
_TODOS += [{"content": "Save the offset", "status": "pending", "activeForm": "Saving"}]
EMPTY = "0e4d5a0c-0000-4000-8000-000000000000"
_ASKED = {"question": "Which store?", "header": "Store", "options": [{"label": "A file"}]}


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """Serve one session with one of each."""
    folder = tmp_path_factory.mktemp("kinds")
    told = session("kinds").user("One of ~each~ kind,  <please>").thinking().redacted_thinking()
    told.assistant("Here they are:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx = 1\n```")
    told.tool("Bash", {"command": "make"}, "Exit code 2\n\x1b[31mred words\x1b[0m", is_error=True)
    told.tool("TodoWrite", {"todos": _TODOS}, "ok")
    told.tool("AskUserQuestion", {"questions": [_ASKED]}, "User has answered: A file")
    told.tool("WebFetch", {"url": "https://example.com/a", "prompt": "What?"}, "An answer")
    told.tool("mcp__tracker__get_issue", {"number": 7}, "Issue 7: tides")
    told.tool("NotebookEdit", {"notebook_path": "/a/b.ipynb", "new_source": "y = 2"}, "ok")
    told.big_result("Bash", {"command": "cat long.txt"}, _LONG)
    told.tool("Read", {"file_path": "/a/pic.png"}, [blocks.image()])
    told.assistant("Enough tools.")
    told.shell("git status", "nothing to commit")
    told.command("/cost", "", "Total: 1 dollar")
    told.user("Wait").assistant("Yes").interrupt()
    told.user("Go on").retry().api_error("API Error: 529 overloaded")
    told.user("Again").assistant("Once more").queued("Queued while busy").assistant("I saw it")
    told.malformed_line().unknown("frame-link").user("The end").assistant("Good.")
    path = told.write(folder / ".claude")
    (path.parent / f"{EMPTY}.jsonl").write_text('{"type":"summary","summary":"x","leafUuid":"y"}\n')
    with Served(folder / ".claude", folder) as server:
        yield server


@pytest.fixture
def page(opened: Opened, kinds: Served) -> Page:
    """Open the session at its start, everything unfolded."""
    row = kinds.get("/api/sessions")["rows"][0]
    page = opened(kinds, f"/s/{row['id']}", height=3_000)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    page.keyboard.press("Home")
    settled(page)
    return page


def piece(page: Page, words: str) -> Locator:
    return page.locator(".piece").filter(has_text=words).first


def step(page: Page, words: str) -> Locator:
    return page.locator("details.step").filter(has_text=words).first


def unfolded(page: Page, words: str) -> Locator:
    fold = step(page, words)
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()
        settled(page)
    return fold


def test_a_prompt_stands_exactly_as_typed(page: Page) -> None:
    typed = page.locator("article.prompt .typed").first

    assert typed.evaluate("(e) => e.textContent") == "One of ~each~ kind,  <please>"
    expect(typed.locator("s, del, em, please")).to_have_count(0)


@pytest.mark.whole
def test_thinking_without_words_is_counted_at_the_end_of_the_turn(page: Page) -> None:
    expect(page.get_by_text(re.compile(r"thought \d+ times")).first).to_be_visible()


@pytest.mark.whole
def test_markdown_of_claude_is_laid_out(page: Page) -> None:
    answer = piece(page, "Here they are")

    expect(answer.locator("table td").first).to_have_text("1")
    expect(answer.locator("pre, .code").first).to_contain_text("x = 1")


def test_a_failed_command_has_its_exit_state_and_safe_colours(page: Page) -> None:
    failed = unfolded(page, "make")

    expect(failed.locator("summary").first).to_contain_text("exit 2")
    expect(failed).to_contain_text("red words")
    expect(failed).not_to_contain_text("\x1b")


@pytest.mark.whole
def test_todos_are_a_checklist(page: Page) -> None:
    todos = unfolded(page, "Todo")

    expect(todos).to_contain_text("Count the rows")
    expect(todos).to_contain_text("Save the offset")


@pytest.mark.parametrize(
    ("words", "inside"),
    [
        ("Which store?", "A file"),
        ("example.com", "An answer"),
        ("get_issue", "Issue 7: tides"),
        ("b.ipynb", "y = 2"),
    ],
)
def test_tools_show_what_was_asked_and_answered(page: Page, words: str, inside: str) -> None:
    if page.get_by_text(re.compile(r"Show \d+ more steps")).count():
        page.get_by_text(re.compile(r"Show \d+ more steps")).first.click()

    expect(unfolded(page, words)).to_contain_text(inside)


def test_an_output_that_lies_in_a_file_is_loaded_on_demand(page: Page) -> None:
    if page.get_by_text(re.compile(r"Show \d+ more steps")).count():
        page.get_by_text(re.compile(r"Show \d+ more steps")).first.click()
    kept = unfolded(page, "cat long.txt")
    expect(kept).to_contain_text("kept in a file")

    kept.get_by_role("button", name=re.compile("Show")).first.click()

    expect(kept).to_contain_text("line 300 of the long output")


@pytest.mark.whole
def test_shell_commands_and_slash_commands_are_told_apart(page: Page) -> None:
    expect(piece(page, "git status")).to_contain_text("you ran it")
    expect(piece(page, "git status")).to_contain_text("nothing to commit")
    expect(piece(page, "/cost")).to_contain_text("command")
    expect(page.locator("main")).not_to_contain_text("<bash-input>")
    expect(page.locator("main")).not_to_contain_text("<command-name>")


def test_interruptions_errors_and_queued_prompts_have_their_words(page: Page) -> None:
    page.keyboard.press("End")
    settled(page)

    expect(page.get_by_text("Interrupted").first).to_be_attached()
    expect(page.get_by_text(re.compile("could not answer")).first).to_be_attached()
    expect(piece(page, "Queued while busy")).to_contain_text("queued")


def test_what_cannot_be_read_is_named_where_it_stands(page: Page) -> None:
    page.keyboard.press("End")
    settled(page)

    expect(page.get_by_text(re.compile(r"Line \d+ cannot be read")).first).to_be_attached()


def test_a_session_in_which_nothing_was_said_says_so(opened: Opened, kinds: Served) -> None:
    page = opened(kinds, f"/s/{EMPTY}")

    expect(page.get_by_text("Nothing was said in this session.")).to_be_visible()
