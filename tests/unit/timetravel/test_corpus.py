"""The real files: a fork at every turn end reads back as the same conversation."""

from pathlib import Path

import pytest

from bough.model.conversation.messages import ContentBlock, TextBlock
from bough.model.session import Session
from bough.model.tree.message_tree import NONE
from bough.query.sessions.load_session import read_session
from bough.timetravel.plan import Create
from bough.timetravel.plans.content_digest import parse_session
from bough.timetravel.plans.copied_records import find_copied_path
from bough.timetravel.plans.fork import ForkRequest, copy_records, plan_fork
from bough.timetravel.plans.repair_records import repair_records
from bough.timetravel.plans.turn_ends import explain_no_end
from bough.timetravel.session_file import FileSnapshot, SessionFile

pytestmark = pytest.mark.slow

# Nothing is damaged in these; their prompts just do not hang on what was said before, so no
# client sends that again.
UNREACHABLE = {
    "c51e78a1": [("unreachable", "line 198"), ("unreachable", "line 173")],
    "d18c4dd5": [("unreachable", "line 4")],
    "d3b1008e": [("unreachable", "line 25"), ("unreachable", "line 6")],
}
SPOKEN = ("text", "thinking", "redacted_thinking", "image", "document")
NEW = "00000000-0000-4000-8000-000000000000"


def sessions_in(shared: Path) -> list[Path]:
    folders = [shared / "corpus", *(shared / "client-files").iterdir()]
    files = (path for folder in folders for path in sorted(folder.rglob("*.jsonl")))
    return [p for p in files if p.parent.parent.name == "projects" and "agent-" not in p.name]


def source_of(session: Session, path: Path) -> SessionFile:
    state = FileSnapshot(str(path), 0, 0, 0, 0, 0, "")
    return SessionFile(session, state, str(path.parent.parent), ends_with_newline=True)


def talk(session: Session, tip: str | None = None) -> list[list[str]]:
    """Give the prompts and the answers as a reader sees them, block by block.

    What was only ever queued is in no tree and not copied, so it may not part an answer. What
    hooks reported after the point is left behind.
    """
    said: list[list[str]] = []
    kind = ""
    for message in session.conversation(tip).messages:
        if message.kind not in ("prompt", "assistant"):
            continue
        if message.kind != kind or kind == "prompt":
            said.append([message.kind])
        kind = message.kind
        said[-1] += [words for block in message.blocks if (words := _block(block))]
    return said


def _block(block: ContentBlock) -> str:
    if isinstance(block, TextBlock):
        return f"{block.type} {block.text}" if block.type in SPOKEN else ""
    result = block.result.text if block.result else None
    return f"{block.name} {block.id} {block.input} {result}"


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.whole)])
def test_a_fork_at_every_turn_end_reads_back_as_the_same_conversation(
    shared: Path, every: int
) -> None:
    ends = 0
    for path in sessions_in(shared):
        session = read_session(path)
        source = source_of(session, path)
        for group in range(len(session.message_tree.groups)):
            if explain_no_end(session.message_tree, group) is not None:
                continue
            ends += 1
            if ends % every:
                continue
            plan = plan_fork(source, group, ForkRequest(new_id=NEW, folder=str(path.parent)))
            [step] = plan.steps
            assert isinstance(step, Create)
            until = session.tree.uuid(session.message_tree.last_line(group))
            assert talk(parse_session(step.data, NEW)) == talk(session, until), path
    assert ends > 1_000


def test_a_healthy_file_is_mended_by_not_a_single_byte(shared: Path) -> None:
    touched = {}
    for path in sessions_in(shared):
        session = read_session(path)
        if any(finding.severity == "problem" for finding in session.health.findings):
            continue
        mended = repair_records(session)
        if mended.fixes:
            touched[path.stem[:8]] = [(m.kind, m.where) for m in mended.fixes]

    assert touched == UNREACHABLE


def test_a_copy_of_a_way_is_the_same_whoever_makes_it(shared: Path) -> None:
    path = sessions_in(shared)[0]
    session = read_session(path)
    group = next(
        k
        for k in range(len(session.message_tree.groups))
        if not explain_no_end(session.message_tree, k)
    )
    wish = ForkRequest(new_id=NEW, folder="/")
    way = find_copied_path(session, group, session.message_tree.last_line(group))

    assert copy_records(session, way, wish, "t") == copy_records(session, way, wish, "t")
    assert group != NONE
