"""Sessions of many branches: what they share is prepared once, and nothing of it is lost."""

import msgspec
import pytest

from bough.export.document import choose_conversations, export_session
from bough.export.document_options import ExportFormat, ExportOptions, build_views
from bough.export.header import list_facts
from bough.export.markdown.render_document import write_document
from bough.model.session import Session
from bough.query import json_documents
from bough.sample import SampleSession, session
from tests.unit.model.opened import opened

EVERYTHING = ExportOptions(all_branches=True, redact=False)


def build_story() -> SampleSession:
    """Tell a story that parts at a prompt, in the middle of a turn, and on another day."""
    builder = session().user("one").thinking("hm").assistant("first", name="first")
    builder.user("left early").tool("Bash", {"command": "ls"}, "a", name="step").assistant("b")
    builder.at("step").wait(hours=30).user("left in the middle").thinking("why").assistant("d")
    builder.at("first").wait(hours=30).user("gone").compact().user("behind it").assistant("e")
    return builder.at("first").user("taken").thinking("so").assistant("c", name="c").user("last")


def build_comb(teeth: int) -> Session:
    """Make a line of prompts with an answer beside each of them."""
    builder = session()
    for number in range(teeth):
        builder.user(f"back {number}", name=f"back {number}").assistant(f"tooth {number}")
        builder.at(f"back {number}")
    return opened(builder.user("end"))


def write_markdown(source: Session, most_whole: int) -> str:
    views = build_views(
        source, choose_conversations(source, EVERYTHING), EVERYTHING, most_whole=most_whole
    )
    main = next(views)
    return write_document(main, views, list_facts(main, EVERYTHING), EVERYTHING)


def test_a_branch_prepared_from_its_own_part_is_written_like_a_whole_one() -> None:
    source = opened(build_story())
    whole = write_markdown(source, 1_000_000)

    from_parts = write_markdown(source, 0)

    assert whole.count("# Branch left behind") == len(source.tips) - 1 > 2
    assert from_parts == whole


def test_branches_that_json_has_no_room_for_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    source = build_comb(5)
    monkeypatch.setattr(json_documents, "_MOST_MESSAGES", 12)

    made = export_session(source, msgspec.structs.replace(EVERYTHING, to=ExportFormat.JSON))

    written = msgspec.json.decode(made.body)["conversations"]
    assert 1 < len(written) < 6
    assert made.left_out.startswith(f"{6 - len(written)} of 6 branches are left out")
    assert "--tip UUID" in made.left_out
