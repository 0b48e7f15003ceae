"""Documents as faces get them: names, types, JSON, previews."""

import msgspec
import pytest

from bough.errors import TipNotFound
from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.sample import session
from tests.unit.model.opened import opened


def test_a_file_is_named_after_the_title() -> None:
    source = opened(session().user("Größe & Würde: mend <it>/now").assistant("ok"))

    made = export_session(source, ExportOptions(to=ExportFormat.HTML))

    assert made.name == f"größe-würde-mend-it-now-{source.id[:8]}.html"
    assert made.media_type == "text/html; charset=utf-8"


def test_a_title_without_letters_gives_the_id() -> None:
    source = opened(session().user("???").assistant("ok"))

    assert export_session(source).name == f"{source.id[:8]}.md"


def test_an_unknown_tip_is_refused() -> None:
    with pytest.raises(TipNotFound):
        export_session(opened(session().user("hi").assistant("ok")), ExportOptions(tip="nowhere"))


def test_json_holds_the_facts_the_conversation_and_the_agents() -> None:
    builder = session(cwd="/home/dev/shop").user("look").thinking("hm")
    builder.agent("Explore", "find", answer="Found.").assistant("Done.")

    data = msgspec.json.decode(
        export_session(opened(builder), ExportOptions(to=ExportFormat.JSON)).body
    )

    assert data["cwd"] == "/home/dev/shop"
    assert data["included"]["redacted"] is True
    assert [turn["kind"] for turn in data["conversations"][0]["messages"]] == [
        "prompt",
        "assistant",
    ]
    assert data["agents"][0]["description"] == "find"
    assert data["agents"][0]["conversation"]["messages"][0]["kind"] == "prompt"
    assert data["agents"][0]["call"].startswith("toolu_")


def test_json_leaves_out_what_is_not_wanted() -> None:
    builder = session().user("go").thinking("hm").tool("Bash", {"command": "ls"}, "a.py")
    source = opened(builder.agent("Explore", "find").assistant("ok"))
    chosen = ExportOptions(to=ExportFormat.JSON, thinking=False, results=False, agents=False)

    text = export_session(source, chosen).body.decode()

    data = msgspec.json.decode(text)
    blocks = [b for turn in data["conversations"][0]["messages"] for b in turn["blocks"]]
    assert data["agents"] == []
    assert "thinking" not in {block["type"] for block in blocks}
    assert {b["result"]["text"] for b in blocks if b["type"] == "tool"} == {""}


def test_lone_surrogates_are_replaced_not_refused() -> None:
    builder = (
        session().user("ok").raw(b'{"type":"user","uuid":"u1","message":{"content":"a\\ud800b"}}')
    )

    for to in ExportFormat:
        assert export_session(opened(builder), ExportOptions(to=to, all_branches=True)).body


def test_all_branches_come_after_the_main_one_in_json() -> None:
    builder = session().user("one").assistant("a", name="a").user("left").assistant("b")
    source = opened(builder.at("a").user("taken").assistant("c"))

    data = msgspec.json.decode(
        export_session(source, ExportOptions(to=ExportFormat.JSON, all_branches=True)).body
    )

    tips = [told["tip"] for told in data["conversations"]]
    assert tips[0] == data["active_tip"]
    assert len(tips) == 2
