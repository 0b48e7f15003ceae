import msgspec

from bough.sample import session
from bough.sample.builder.metadata import EMPTY_UUID


def test_marks_are_no_nodes() -> None:
    builder = (
        session().title("a").ai_title("b").mode().permission_mode().atis_latch().agent_name("c")
    )

    assert builder.nodes == []
    assert all(record["sessionId"] == builder.session_id for record in builder.records())


def test_a_summary_has_three_fields() -> None:
    record = session().user("hi", name="P").summary("Greeting", "P").records()[1]

    assert record.keys() == {"type", "summary", "leafUuid"}


def test_a_summary_may_point_elsewhere() -> None:
    assert session().summary("Other", "not-here").records()[0]["leafUuid"] == "not-here"


def test_the_last_prompt_names_a_leaf_only_when_told() -> None:
    builder = session().user("hi", name="P").last_prompt("hi").last_prompt("hi", leaf="P")

    assert "leafUuid" not in builder.records()[1]
    assert builder.records()[2]["leafUuid"] == builder.uuid("P")


def test_after_a_rewind_the_pointer_names_nothing() -> None:
    record = session().user("hi").rewind_pointer().records()[1]

    assert record["leafUuid"] == EMPTY_UUID
    assert record["explicit"] is True


def test_a_title_may_have_a_file_beside_the_session() -> None:
    builder = session().title("Mine", sidecar=True)

    content = builder.companions[f"{builder.session_id}/custom-title.json"]
    assert msgspec.json.decode(content) == {"customTitle": "Mine"}


def test_a_queued_prompt_is_an_attachment_a_prompt_or_nowhere_else() -> None:
    kinds = {
        shown: [record["type"] for record in session().queued("more", shown=shown).records()]
        for shown in ("attachment", "prompt", "nowhere")
    }

    assert kinds == {
        "attachment": ["queue-operation", "queue-operation", "attachment"],
        "prompt": ["queue-operation", "queue-operation", "user"],
        "nowhere": ["queue-operation", "queue-operation"],
    }


def test_a_snapshot_is_written_before_the_prompt_it_belongs_to() -> None:
    builder = session().snapshot("P", "a.py").user("hi", name="P").snapshot().user("more")

    first, prompt, second, more = builder.records()
    assert first["messageId"] == prompt["uuid"]
    assert second["messageId"] == more["uuid"]


def test_an_updated_snapshot_repeats_its_message() -> None:
    builder = session().user("hi", name="P").snapshot("P", update=True)

    assert builder.records()[1]["messageId"] == builder.uuid("P")
    assert builder.records()[1]["isSnapshotUpdate"] is True


def test_what_was_sent_is_kept_as_three_records() -> None:
    kinds = [record["type"] for record in session().api_request().records()]

    assert kinds == ["api-request-shape", "api-request-blob", "api-request"]


def test_a_kind_nobody_knows_is_written_as_given() -> None:
    record = session().unknown("pulse", beat=1).records()[0]

    assert (record["type"], record["beat"]) == ("pulse", 1)
