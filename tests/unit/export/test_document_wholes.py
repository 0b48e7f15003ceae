"""Outputs in files of their own are inside a document: folded, and with secrets hidden."""

from pathlib import Path

import msgspec
import pytest

from bough.export import document as wholes
from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.model.session import Session as Read
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.sample.builder.agents import AgentSteps
from tests.conftest import Home
from tests.unit.export.fragments import seen

LINES = "".join(f"line {number} of the log\n" for number in range(3_000))
LAST = "line 2999 of the log"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def opened(home: Home, builder: SampleSession) -> Read:
    with home.writing() as folder:
        path = builder.write(folder)
    return read_session(path)


def document(
    source: Read,
    to: ExportFormat,
    *,
    results: bool = True,
    agents: bool = True,
    redact: bool = False,
) -> str:
    include = ExportOptions(to=to, results=results, agents=agents, redact=redact)
    return export_session(source, include).body.decode()


def logged(output: str = LINES, tool: str = "Bash") -> SampleSession:
    builder = session().user("Show the log").big_result(tool, {"command": "cat log"}, output)
    return builder.assistant("That is all.")


@pytest.mark.parametrize("to", list(ExportFormat))
def test_a_document_holds_all_of_a_kept_output(home: Home, to: ExportFormat) -> None:
    assert LAST in document(opened(home, logged()), to)


@pytest.mark.parametrize("to", list(ExportFormat))
def test_without_results_it_does_not(home: Home, to: ExportFormat) -> None:
    assert LAST not in document(opened(home, logged()), to, results=False)


@pytest.mark.parametrize("tool", ["Bash", "Read", "WebFetch", "mcp__logs__get"])
def test_in_html_it_is_folded_below_how_it_begins(home: Home, tool: str) -> None:
    page = document(opened(home, logged(tool=tool)), ExportFormat.HTML)

    head, _, fold = page.partition("<summary>Show the whole output</summary>")
    assert head.endswith('/whole">')
    assert "Output of 60.4 KB, kept in a file.</div>" in head
    assert LAST not in head
    assert LAST in fold
    assert "<button" not in page
    inside = fold.removeprefix('<div class="body">').partition("</div></details>")[0]
    assert seen(inside).strip() == LINES.strip()


def test_markup_in_an_output_stays_text(home: Home) -> None:
    page = document(opened(home, logged(f"{LINES}<script>alert(1)</script>")), ExportFormat.HTML)

    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_in_markdown_it_stands_instead_of_how_it_begins(home: Home) -> None:
    text = document(opened(home, logged()), ExportFormat.MARKDOWN)

    assert text.count("line 1 of the log\n") == 1
    assert "persisted-output" not in text
    assert "kept in a file of its own" not in text


def test_in_json_it_is_named_by_its_call(home: Home) -> None:
    data = msgspec.json.decode(document(opened(home, logged()), ExportFormat.JSON))

    (output,) = data["outputs"]
    (call,) = [b for t in data["conversations"][0]["messages"] for b in t["blocks"] if "id" in b]
    assert output == {"call": call["id"], "bytes": len(LINES), "text": LINES}


@pytest.mark.parametrize("to", list(ExportFormat))
def test_an_agents_kept_output_is_inside_too(home: Home, to: ExportFormat) -> None:
    def work(child: AgentSteps) -> object:
        return child.big_result("Bash", {"command": "cat log"}, LINES)

    source = opened(home, session().user("go").agent("Explore", "look", work=work).assistant("ok"))

    assert LAST in document(source, to)
    assert LAST not in document(source, to, agents=False)


@pytest.mark.parametrize("to", list(ExportFormat))
def test_secrets_in_a_kept_output_are_hidden(home: Home, to: ExportFormat) -> None:
    made = export_session(
        opened(home, logged(f"{LINES}{TOKEN}\n")), ExportOptions(to=to, redact=True)
    )

    assert LAST.encode() in made.body
    assert TOKEN.encode() not in made.body
    assert b"[hidden: GitHub token 1]" in made.body
    assert [(found.kind, found.count) for found in made.findings] == [("GitHub token", 1)]


def test_a_password_of_a_kept_output_is_hidden_where_it_is_mentioned(home: Home) -> None:
    builder = logged(f"{LINES}DB_PASSWORD=fk39-xQ72-plum8\n")
    source = opened(home, builder.user("Is fk39-xQ72-plum8 right?").assistant("Yes."))

    text = document(source, ExportFormat.MARKDOWN, redact=True)

    assert "fk39-xQ72-plum8" not in text


@pytest.mark.parametrize("to", [ExportFormat.HTML, ExportFormat.MARKDOWN])
def test_of_a_very_large_output_the_beginning_is_inside_and_it_says_so(
    home: Home, to: ExportFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wholes, "_MOST", 10_000)

    text = document(opened(home, logged()), to)

    assert "This is how it begins: 10 kB of 62 kB." in text
    assert LAST not in text


@pytest.mark.parametrize("to", list(ExportFormat))
def test_a_link_that_leads_out_of_the_project_is_not_followed(
    home: Home, to: ExportFormat, tmp_path: Path
) -> None:
    builder = logged()
    secret = tmp_path / "secret.txt"
    secret.write_text("what nobody may read")
    opened(home, builder)
    (place,) = home.projects.rglob("tool-results/*.txt")
    with home.writing():
        place.unlink()
        place.symlink_to(secret)
    (path,) = home.projects.glob("*/*.jsonl")

    text = document(read_session(path), to)

    assert "what nobody may read" not in text
    assert "line 1 of the log" in text


def test_for_a_model_an_output_is_as_it_was_told(home: Home) -> None:
    made = export_session(opened(home, logged()), ExportOptions(for_llm=True))

    assert LAST.encode() not in made.body
