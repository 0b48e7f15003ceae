import pytest

from bough.sample import session
from bough.sample.data.blocks import Json


def content(record: Json) -> object:
    message = record["message"]
    assert isinstance(message, dict)
    return message["content"]


def test_a_command_is_a_caveat_its_name_and_its_output() -> None:
    caveat, echo, out = session().command("/clear", "now", "gone").records()

    assert caveat["isMeta"] is True
    assert str(content(caveat)).startswith("<local-command-caveat>Caveat:")
    assert str(content(echo)).startswith("<command-name>/clear</command-name>")
    assert "<command-args>now</command-args>" in str(content(echo))
    assert content(out) == "<local-command-stdout>gone</local-command-stdout>"


def test_the_caveat_of_old_clients_has_no_tag() -> None:
    assert str(content(session(version="2.0.14").caveat().records()[0])).startswith("Caveat: The")


def test_a_command_may_be_stored_as_system_records() -> None:
    records = session().command("cost", "", "$1", as_system=True).records()

    assert [record["subtype"] for record in records] == ["local_command", "local_command"]


def test_a_skill_puts_its_message_before_its_name_and_its_body_is_meta() -> None:
    echo, body = session().skill("/review", "src", "# Review").records()

    assert str(content(echo)).startswith(
        "<command-message>review</command-message>\n<command-name>/review</command-name>"
    )
    assert body["isMeta"] is True
    assert "Base directory for this skill" in str(content(body))


def test_a_shell_turn_is_its_input_and_its_output() -> None:
    *_, asked, out = session().shell("ls", "a", "oops").records()

    assert content(asked) == "<bash-input>ls</bash-input>"
    assert content(out) == "<bash-stdout>a</bash-stdout><bash-stderr>oops</bash-stderr>"


def test_a_notification_names_its_task_and_its_call() -> None:
    record = session().notification("a1", "Agent done", "42", tool_id="toolu_1").records()[0]

    words = str(content(record))
    assert words.startswith("<task-notification>\n<task-id>a1</task-id>")
    assert "<tool-use-id>toolu_1</tool-use-id>" in words
    assert record["origin"] == {"kind": "task-notification"}


def test_a_prompt_from_an_editor_says_what_is_open() -> None:
    blocks = content(session().ide_prompt("fix it", "/a.py").records()[0])

    assert isinstance(blocks, list)
    assert "<ide_opened_file>" in str(blocks[0])
    assert blocks[1] == {"type": "text", "text": "fix it"}


@pytest.mark.parametrize(("version", "kept"), [("2.1.20", False), ("2.1.50", True)])
def test_an_implementation_begins_with_the_plan(version: str, kept: bool) -> None:
    record = session(version=version, slug="a-b-c").implement("1. do it").records()[0]

    assert content(record) == "Implement the following plan:\n\n1. do it"
    assert ("planContent" in record) is kept
    assert record["slug"] == "a-b-c"
