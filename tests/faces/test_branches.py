"""Two branches compared, and the tree they are of, say the same through every face."""

import pytest

import bough
from bough.model.outline.session_outline import outline_of
from bough.model.session import Session
from tests.faces.conftest import Faces

pytestmark = pytest.mark.slow

MOST = 12
"""So many sessions with branches are compared: each costs a few questions to a server."""


def branched(faces: Faces) -> list[tuple[str, Session]]:
    found = [(path, one) for path, one in faces.sessions.items() if len(one.conversations) > 1]
    assert found
    return found[:MOST]


def test_a_comparison_is_the_same_everywhere(faces: Faces) -> None:
    ids = {row["resume"].split()[-1]: row["id"] for row in faces.web}
    for path, session in branched(faces):
        tip = next(one.tip for one in session.conversations if not one.active)
        assert tip is not None
        library = bough.compare(path, tip)
        said = faces.ask("diff", path, tip, "active")
        web = faces.served.get(f"/api/sessions/{ids[session.id]}/compare?a={tip}&b=active")

        assert library.shared == said["shared"] == web["shared"], path
        for name, side in (("a", library.a), ("b", library.b)):
            assert side.tip == said[name]["tip"] == web[name]["tip"]
            assert len(side.turns) == said[name]["turns"] == web[name]["turns"]
            assert len(side.files) == len(said[name]["files"]) == web[name]["files"]
            assert side.usage.calls == said[name]["calls"] == web[name]["calls"]
            assert side.seconds == said[name]["duration_seconds"] == web[name]["duration_seconds"]
            assert said[name]["cost_usd"] == web[name]["cost_usd"] == pytest.approx(side.cost.usd)
            steps = [(turn.uuid, turn.steps, turn.failed) for turn in side.turns]
            assert steps == [(t["uuid"], t["steps"], t["failed"]) for t in said[name]["prompts"]]
            shown = (pair[name] for pair in web["pairs"] if pair[name] is not None)
            assert steps == [(turn["uuid"], turn["steps"], turn["failed"]) for turn in shown]


def test_the_tree_is_the_same_everywhere_and_counts_as_comparisons_do(faces: Faces) -> None:
    ids = {row["resume"].split()[-1]: row["id"] for row in faces.web}
    for path, session in branched(faces):
        outline = outline_of(session)
        said = faces.ask("tree", path)
        web = faces.served.get(f"/api/sessions/{ids[session.id]}/tree?zoom=prompts")

        assert web["branch_count"] == len(said["tips"]) == len(session.conversations), path
        assert web["turns"] == outline.turns
        assert web["cost_usd"] == pytest.approx(outline.cost.usd)
        assert said["active_tip"] == next(one.tip for one in session.conversations if one.active)
        # A turn that a compaction parts has a row for each part: only whole ones are compared.
        rows = [row for row in web["page"]["rows"] if row["kind"] in ("turn", "compaction")]
        whole = {
            row["uuid"]: row["steps"]
            for row, after in zip(rows, [*rows[1:], None], strict=True)
            if row["kind"] == "turn" and (after is None or after["kind"] == "turn")
        }
        tip = next(one.tip for one in session.conversations if not one.active)
        compared = bough.compare(path, tip or "")
        turns = (*compared.a.turns, *compared.b.turns)
        assert {t.uuid: t.steps for t in turns if t.uuid in whole} == {
            t.uuid: whole[t.uuid] for t in turns if t.uuid in whole
        }, path


def test_the_turns_of_the_branches_of_a_session_add_up_to_those_of_its_tree(faces: Faces) -> None:
    ids = {row["resume"].split()[-1]: row["id"] for row in faces.web}
    for path, session in branched(faces):
        web = faces.served.get(f"/api/sessions/{ids[session.id]}")
        tree = faces.served.get(f"/api/sessions/{ids[session.id]}/tree?zoom=prompts")
        own = {branch["tip"]: branch["own_turns"] for branch in web["branches"]}

        assert sum(own.values()) == tree["turns"], path
        drawn = {one["tip"]: one["turns"] for one in tree["page"]["branches"] if one["tip"] in own}
        assert drawn == {tip: own[tip] for tip in drawn}, path
