"""`bough show`: a conversation as a person reads it."""

import os
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from bough.sample import session
from bough.sample.data import blocks
from tests.cli.screens import objects, on_screen, one, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x1b]52;c;ZXZpbA==\x07\u202egpj.exe\x9b31m\x00end"
ACTING = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def test_a_turn_reads_as_in_the_guide(demo: Path, snapshot: SnapshotAssertion) -> None:
    text = piped("show", "3f9c", claude=demo).stdout

    start = text.index("\n", text.index("--tip 66d8")) + 2
    assert text[start : text.index("◉ You  14:51")] == snapshot


@POSIX
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
@pytest.mark.parametrize("session_id", ["3f9c", "e41a", "e398"])
def test_a_conversation_on_a_terminal(
    demo: Path, session_id: str, columns: int, rows: int, snapshot: SnapshotAssertion
) -> None:
    code, shown = on_screen("show", session_id, claude=demo, columns=columns, rows=rows)

    assert code == 0
    assert shown == snapshot


def test_only_the_talk_has_no_steps_and_no_thinking(demo: Path) -> None:
    whole = piped("show", "3f9c", claude=demo).stdout
    talk = piped("show", "3f9c", "--talk", claude=demo).stdout

    assert "~ Thought" in whole
    assert "Bash  pytest -q tests/import" in whole
    assert "~ Thought" not in talk
    assert "Bash  " not in talk
    assert "Hook " not in talk
    assert talk.count("◉ You") == whole.count("◉ You")
    assert "`shop import orders.csv` goes on where it stopped" in talk
    assert set(talk.splitlines()) <= set(whole.splitlines())


@pytest.mark.parametrize("other", ["--full", "--raw", "--json"])
def test_the_talk_cannot_be_asked_for_with_all_of_it(demo: Path, other: str) -> None:
    refused = piped("show", "3f9c", "--talk", other, claude=demo)

    assert refused.returncode == 2
    assert "--talk alone" in refused.stderr


@POSIX
def test_a_long_block_of_steps_shows_its_ends_and_a_pipe_all_of_it(home: Home) -> None:
    builder = session().user("Go")
    for number in range(9):
        builder.tool("Bash", {"command": f"run {number}"}, "x")
    with home.writing():
        builder.write(home.path)

    _, shown = on_screen("show", "latest", claude=home.path, columns=80, rows=24)
    told = piped("show", "latest", claude=home.path).stdout

    assert "(5 more steps)" in shown
    assert "run 4" not in shown
    assert all(f"run {number} " in told for number in range(9))


@POSIX
def test_no_line_is_wider_than_the_terminal(demo: Path) -> None:
    words = ("show", "3f9c", "--all", "--color", "never")

    _, shown = on_screen(*words, claude=demo, columns=60)

    assert max(map(len, shown.splitlines())) <= 60


def test_another_branch_is_one_line_where_it_leaves(demo: Path) -> None:
    lines = piped("show", "3f9c", claude=demo).stdout.splitlines()

    side_branches = [line for line in lines if line.startswith("├─")]
    assert [" ".join(line.split()) for line in side_branches] == [
        "├─○ Use a job table instead 3 turns, rewound 14:02, --tip b41f",
        "├─○ Use new click options for it 1 turn, interrupted, --tip 66d8",
    ]


def test_a_branch_that_was_left_shows_where_the_active_one_goes_on(demo: Path) -> None:
    text = piped("show", "3f9c", "--tip", "b41f", claude=demo).stdout

    assert text.splitlines()[1].startswith("Branch left behind of 3, 6 turns")
    assert "├─● Keep a checkpoint file next to the CSV" in text
    assert text.rstrip().endswith("$0.29")


def test_all_branches_stand_at_their_place(demo: Path) -> None:
    text = piped("show", "3f9c", "--all", claude=demo).stdout

    assert "│ ◉ You  13:58" in text
    assert text.index("│ ◉ You  13:58") < text.index("\n◉ You  14:05")
    assert text.count("Why is the lock held so long?") == 1


def test_full_unfolds_thoughts_and_outputs(demo: Path) -> None:
    folded = piped("show", "3f9c", claude=demo).stdout
    full = piped("show", "3f9c", "--full", claude=demo).stdout

    assert "1 failed, 30 passed" in full
    assert "1 failed, 30 passed" not in folded
    assert "-    job = ImportJob(path, dry_run)" in full
    assert "Summary:" in full


def test_json_is_one_conversation(demo: Path) -> None:
    shown = one("show", "3f9c", claude=demo)
    shape = one("tree", "3f9c", claude=demo)

    messages = shown["messages"]
    assert list(shown) == ["session", "tip", "turns", "messages"]
    assert shown["tip"] == shape["active_tip"]
    assert isinstance(messages, list)
    assert shown["turns"] == len({message["turn"] for message in messages} - {None})
    assert list(messages[0]) == [
        *("turn", "kind", "uuid", "uuids", "offset", "timestamp", "model", "blocks", "usage")
    ]
    tools = [
        block for message in messages for block in message["blocks"] if block["type"] == "tool"
    ]
    assert set(tools[0]) == {
        *("type", "id", "name", "input", "result", "agent", "timestamp", "duration_ms", "exit_code")
    }
    assert list(tools[0]["result"]) == ["text", "is_error", "images", "persisted"]


def test_json_of_all_is_a_list_of_conversations(demo: Path) -> None:
    shown = objects("show", "3f9c", "--all", claude=demo)
    listed = objects("conversations", "3f9c", claude=demo)

    assert {str(each["tip"]) for each in shown} == {str(row["tip"]) for row in listed}
    rows = {str(row["tip"]): row for row in listed}
    for each in shown:
        told = each["messages"]
        assert isinstance(told, list)
        assert len(told) == rows[str(each["tip"])]["messages"]
        assert each["turns"] == rows[str(each["tip"])]["turns"]


def test_json_to_a_tip_is_that_conversation(demo: Path) -> None:
    tips = [str(row["tip"]) for row in objects("conversations", "3f9c", claude=demo)]

    for tip in tips:
        assert one("show", "3f9c", "--tip", tip[:8], claude=demo)["tip"] == tip


def test_an_agent_is_read_by_its_id(demo: Path) -> None:
    text = piped("show", "3f9c", "--agent", "a34466", claude=demo).stdout

    assert text.startswith("Explore: where the cursor is lost")
    assert "◉ Brief  13:19" in text
    assert one("show", "3f9c", "--agent", "a34466", claude=demo)["session"] == "a34466ca8751fff25"


def test_an_agent_that_is_not_there_is_said(demo: Path) -> None:
    done = piped("show", "3f9c", "--agent", "nobody", claude=demo)

    assert (done.returncode, done.stdout) == (1, "")
    assert "Its agents: a34466" in done.stderr


def test_raw_lines_are_the_bytes_of_the_file(home: Home) -> None:
    builder = session().user("caf\xe9").assistant("a", name="A").user("left").assistant("b")
    builder.at("A").user("kept").assistant("c").nul()
    with home.writing():
        path = builder.write(home)

    everything = piped("show", "latest", "--raw", "--all").stdout
    active = piped("show", "latest", "--raw").stdout

    assert everything == path.read_text()
    assert "left" not in active
    assert active.splitlines()[0] == path.read_text().splitlines()[0]


@pytest.mark.parametrize("words", [("--raw", "--json"), ("--tip", "b41f", "--all")])
def test_what_excludes_itself_is_misuse(demo: Path, words: tuple[str, ...]) -> None:
    done = piped("show", "3f9c", *words, claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert "not both" in done.stderr


@pytest.fixture
def hostile(home: Home) -> str:
    """Write a session in which every text tries to act on the terminal."""
    builder = session(HOSTILE, cwd="/home/dev/x\x1b[31m").user(f"prompt {HOSTILE}").title(HOSTILE)
    builder.thinking(HOSTILE).assistant(f"answer {HOSTILE}")
    builder.tool("Bash", {"command": HOSTILE}, f"out {HOSTILE}", is_error=True)
    builder.tool(f"mcp__{HOSTILE}__{HOSTILE}", {"a": HOSTILE}, HOSTILE).attachment("file")
    builder.agent(HOSTILE, HOSTILE).compact(HOSTILE).command(f"/{HOSTILE}", HOSTILE)
    builder.user("two").api_error(HOSTILE).malformed_line(b'{"\x1b[2J\x07')
    with home.writing():
        builder.write(home)
    return builder.session_id


@POSIX
@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("show", "--full"),
        ("show", "--raw"),
        ("show", "--raw", "--all"),
        ("show", "--json"),
        ("tree",),
        ("doctor",),
        ("conversations",),
    ],
)
def test_hostile_text_never_acts_on_a_terminal(hostile: str, words: tuple[str, ...]) -> None:
    command, *options = words

    code, shown = on_screen(command, hostile, *options, "--color", "never")

    assert code == (1 if command == "doctor" else 0)  # one of its lines is damaged
    assert "\x1b" not in shown
    assert not ACTING.search(shown)


@POSIX
@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("words", [("sessions",), ("projects",), ("conversations",)])
def test_hostile_titles_never_act_on_a_terminal(words: tuple[str, ...]) -> None:
    code, shown = on_screen(*words, "--color", "never")

    assert code == 0
    assert "\x1b" not in shown
    assert not ACTING.search(shown)


@POSIX
def test_colours_are_ours_alone(hostile: str) -> None:
    _, shown = on_screen("show", hostile, "--full")

    assert set(re.findall("\x1b\\[([0-9;]*)m", shown)) <= {
        "0",
        "94",
        "90",
        "35",
        "36",
        "91",
        "95",
        "33",
        "32",
    }
    assert "\x1b" not in re.sub("\x1b\\[[0-9;]*m", "", shown)


def test_an_attached_document_stands_apart_from_its_name_and_from_what_was_typed(
    home: Home,
) -> None:
    brief = [blocks.document("Slow, warm.\nAt dusk.", "brief.md"), blocks.text("Like this")]
    with home.writing():
        session("lit").user(brief).assistant("Done.").write(home)

    done = piped("show", "latest", claude=home.path).stdout
    full = piped("show", "latest", "--full", claude=home.path).stdout

    assert "\n  Attached: brief.md\n    Slow, warm. At dusk.\n  Like this\n" in done
    assert "\n  Attached: brief.md\n    Slow, warm.\n    At dusk.\n  Like this\n" in full


def test_a_session_without_talk_still_shows_its_notes(home: Home) -> None:
    builder = session("quiet").queued("only queued")
    with home.writing():
        builder.write(home)

    done = piped("show", builder.session_id)

    assert "only queued" in done.stdout


def test_an_empty_session_says_so(home: Home) -> None:
    home.add("-home-dev-x/0b5e7a10-0000-4000-8000-000000000000.jsonl")

    done = piped("show", "0b5e")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Session 0b5e7a10 holds no conversation.\n"
