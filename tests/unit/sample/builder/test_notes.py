import pytest

from bough.sample import session
from bough.sample.data.attachments import ATTACHMENTS


@pytest.mark.parametrize("kind", sorted(ATTACHMENTS))
def test_every_attachment_can_be_named_without_more(kind: str) -> None:
    record = session().attachment(kind).records()[0]

    held = record["attachment"]
    assert isinstance(held, dict)
    assert held["type"] == kind
    assert held.keys() - {"type"} == ATTACHMENTS[kind].keys()


def test_an_attachment_stands_between_prompt_and_answer() -> None:
    builder = session().user("hi", name="P").attachment("date", name="D").assistant("yes", name="A")

    assert builder.record_of("D")["parentUuid"] == builder.uuid("P")
    assert builder.record_of("A")["parentUuid"] == builder.uuid("D")


@pytest.mark.parametrize(
    ("version", "kind", "inner"),
    [
        ("2.0.14", "system", "informational"),
        ("2.1.50", "progress", "hook_progress"),
        ("2.1.150", "attachment", "hook_success"),
    ],
)
def test_a_hook_is_stored_as_its_client_does(version: str, kind: str, inner: str) -> None:
    record = session(version=version).hook("PreToolUse", "guard.py", tool="Bash").records()[0]

    data = record.get("data") or record.get("attachment") or {"type": record.get("subtype")}
    assert record["type"] == kind
    assert isinstance(data, dict)
    assert data["type"] == inner


@pytest.mark.parametrize(
    ("outcome", "key"),
    [
        ("success", "stdout"),
        ("non_blocking_error", "stderr"),
        ("blocking_error", "blockingError"),
        ("additional_context", "content"),
        ("system_message", "content"),
    ],
)
def test_a_hook_says_how_it_ended(outcome: str, key: str) -> None:
    record = session().hook("Stop", "lint.sh", outcome=outcome, words="why").records()[0]

    held = record["attachment"]
    assert isinstance(held, dict)
    assert held["type"] == f"hook_{outcome}"
    assert "why" in str(held[key])


def test_the_output_of_a_command_grows_in_its_progress() -> None:
    builder = session(version="2.1.50").bash_progress("toolu_1", "a", "b")

    datas = [record["data"] for record in builder.records()]
    assert [data["fullOutput"] for data in datas if isinstance(data, dict)] == ["a\n", "a\nb\n"]
    assert [record["toolUseID"] for record in builder.records()] == [
        "bash-progress-0",
        "bash-progress-1",
    ]
    assert {str(record["parentToolUseID"]) for record in builder.records()} == {"toolu_1"}


def test_system_notes_are_never_meta() -> None:
    builder = (
        session().turn_duration(3).away_summary("back").retry(2).informational("x").system(None)
    )

    assert not any(record.get("isMeta") for record in builder.records())
    assert "subtype" not in builder.records()[-1]


def test_a_summary_of_stop_hooks_counts_them() -> None:
    record = session().stop_hooks("a", "b", errors=["b failed"]).records()[0]

    assert record["hookCount"] == 2
    assert record["hasOutput"] is True
