"""The active tip is the one real clients were seen to resume.

Each scene is a small file, each column a client that was given it: from 2.1.325 back to
1.0.51. What is expected is the last thing said that the client sent before the new prompt.
Where a client was not measured it is left out.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from msgspec import Struct

from bough.model.tree.active_tip import (
    LAST_LINE,
    LAST_PROMPT,
    NEWEST_TIMESTAMP,
    choose_resume_node,
    find_active_group,
    find_newest_version,
    parse_version,
    rule_of,
)
from bough.model.tree.build import build_message_tree
from bough.model.tree.message_tree import NONE
from bough.model.tree.nodes import build_tree
from bough.sample import ABSENT, SampleCall, SampleSession, session
from bough.sample.builder.base import DraftLine
from bough.sample.data.client_versions import format_timestamp
from tests.unit.model.readings import read

POINTED = ("2.1.325", "2.1.250", "2.1.150")
NEWEST = ("2.1.50", "2.0.76", "2.0.14", "1.0.128")
FIRST = "1.0.51"
SIDECHAINS_LEAD_ASTRAY = ("2.0.14", "1.0.128")
BEGIN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

Write = Callable[[SampleSession], object]


class Scene(Struct, frozen=True):
    """A file, and what each kind of client continues from."""

    write: Write
    pointed: str | None
    newest: str | None
    but: dict[str, str | None] = {}
    measured_on_first: bool = True

    def expected(self) -> dict[str, str | None]:
        """Tell the tip for each client that was measured."""
        first = (FIRST,) if self.measured_on_first else ()
        found = dict.fromkeys(POINTED, self.pointed) | dict.fromkeys(NEWEST + first, self.newest)
        return found | self.but


def everywhere(write: Write, tip: str) -> Scene:
    return Scene(write, tip, tip)


def later(write: Write, pointed: str | None, newest: str, **but: str | None) -> Scene:
    """Make a scene that was added when 1.0.51 was no longer tried."""
    named = {name.removeprefix("v").replace("_", "."): tip for name, tip in but.items()}
    return Scene(write, pointed, newest, named, measured_on_first=False)


# -- the pieces ------------------------------------------------------------------------------


def minute(count: float) -> datetime:
    return BEGIN + timedelta(minutes=count)


def prompt(
    builder: SampleSession, name: str, under: str | None, at: float, **fields: object
) -> SampleSession:
    return builder.set_clock(minute(at)).at(under).user(name, name=name, **fields)


def answer(
    builder: SampleSession, name: str, under: str | None, at: float, **fields: object
) -> SampleSession:
    return builder.set_clock(minute(at)).at(under).assistant(name, name=name, **fields)


def note(builder: SampleSession, under: str, at: float = 9, **fields: object) -> SampleSession:
    told = {"content": "moved", "level": "info"} | fields
    return builder.set_clock(minute(at)).at(under).system("informational", name="S1", **told)


def attached(builder: SampleSession, under: str) -> SampleSession:
    return builder.set_clock(minute(9)).at(under).attachment("date", name="T1")


def working(builder: SampleSession, under: str) -> SampleSession:
    return builder.set_clock(minute(9)).at(under).progress("hook_progress").name_step("P1")


def pointer(builder: SampleSession, leaf: str) -> SampleSession:
    return builder.last_prompt("x", builder.resolve_step(leaf))


def stem(builder: SampleSession) -> SampleSession:
    return answer(prompt(builder, "U1", None, 0), "A1", "U1", 1)


def older(builder: SampleSession) -> SampleSession:
    return answer(prompt(builder, "U2", "A1", 2), "A2", "U2", 3)


def newer(builder: SampleSession) -> SampleSession:
    return answer(prompt(builder, "B2", "A1", 4), "C2", "B2", 5)


def fork(builder: SampleSession) -> SampleSession:
    return newer(older(stem(builder)))


def line(builder: SampleSession) -> SampleSession:
    return answer(prompt(older(stem(builder)), "U3", "A2", 6), "A3", "U3", 7)


def again(builder: SampleSession, name: str, at: float) -> SampleSession:
    return builder.again(name, timestamp=format_timestamp(minute(at)))


def agent(builder: SampleSession, under: str | None) -> SampleSession:
    prompt(builder, "X1", under, 8, isSidechain=True)
    return answer(builder, "X2", "X1", 9, isSidechain=True)


def compacted(builder: SampleSession) -> SampleSession:
    line(builder).set_clock(minute(10)).at("A3").compact("what was said", name="CS")
    return answer(prompt(builder, "U4", "CS", 11), "A4", "U4", 12)


def preserved(builder: SampleSession) -> SampleSession:
    builder.change(version="2.1.250")
    line(builder).set_clock(minute(10)).at("A3").compact(
        "what was said", name="CS", keep=["U3", "A3"]
    )
    return answer(prompt(builder, "U4", "A3", 11), "A4", "U4", 12)


def parallel(builder: SampleSession) -> SampleSession:
    prompt(builder, "U1", None, 0).set_clock(minute(1))
    builder.tools(
        SampleCall(tool="Bash", given={"command": "echo 1"}, result="one"),
        SampleCall(tool="Bash", given={"command": "echo 2"}, result="two"),
    )
    return builder.set_clock(minute(3)).assistant("A3", name="A3")


def dangling(builder: SampleSession) -> SampleSession:
    prompt(stem(builder), "U2", "A1", 2).set_clock(minute(3))
    return builder.tool("Bash", {"command": "echo 1"}, None, name="A2x")


def with_only(builder: SampleSession, *keys: str) -> SampleSession:
    """Leave only some fields in every record."""
    for made in builder.records():
        for key in set(made) - set(keys):
            del made[key]
    return builder


def instead(builder: SampleSession, number: int, raw: bytes) -> SampleSession:
    """Put other bytes in the place of a line."""
    builder.entries[number] = DraftLine(raw)
    return builder


def backwards(builder: SampleSession) -> SampleSession:
    builder.entries.reverse()
    return builder


def unmatched_parent(builder: SampleSession) -> SampleSession:
    stem(builder).at_missing()
    builder.set_clock(minute(2)).user("U2", name="U2")
    return answer(builder, "A2", "U2", 3)


def orphan_beside(builder: SampleSession) -> SampleSession:
    stem(builder).at_missing()
    builder.set_clock(minute(2)).user("O1", name="O1")
    return newer(answer(builder, "O2", "O1", 3))


def another_root(builder: SampleSession) -> SampleSession:
    return answer(prompt(builder, "R1", None, 5), "R2", "R1", 6)


MINIMAL = ("type", "uuid", "parentUuid", "message")
NOTHING = {"level": ABSENT, "content": ABSENT, "subtype": ABSENT}

SCENES = {
    "one line": everywhere(lambda b: older(stem(b)), "A2"),
    # -- two branches
    "two branches, the newer last": everywhere(fork, "C2"),
    "two branches, the newer first": Scene(lambda b: older(newer(stem(b))), "A2", "C2"),
    "two branches of the same minute": Scene(
        lambda b: newer(answer(prompt(stem(b), "U2", "A1", 4), "A2", "U2", 5)), "C2", "A2"
    ),
    "the newest is a prompt without an answer": everywhere(
        lambda b: prompt(older(stem(b)), "B2", "A1", 4), "B2"
    ),
    "the last is a prompt beside an answered one": everywhere(
        lambda b: prompt(newer(stem(b)), "U2", "A1", 9), "U2"
    ),
    # -- a summary never chooses
    "a summary at the end names the old leaf": everywhere(
        lambda b: fork(b).summary("s", "A2"), "C2"
    ),
    "a summary at the start names the old leaf": everywhere(
        lambda b: fork(b.summary("s", b.next_uuid("A2"))), "C2"
    ),
    "a summary names an answer on the way": everywhere(lambda b: line(b).summary("s", "A1"), "A3"),
    "a summary names a prompt on the way": everywhere(lambda b: line(b).summary("s", "U2"), "A3"),
    # -- the pointer
    "the pointer names the other leaf": Scene(lambda b: pointer(fork(b), "A2"), "A2", "C2"),
    "the pointer names an answer on the way": everywhere(lambda b: pointer(line(b), "A1"), "A3"),
    "the pointer names a prompt on the way": everywhere(lambda b: pointer(line(b), "U2"), "A3"),
    "a pointer without a leaf": everywhere(lambda b: fork(b).last_prompt("x"), "C2"),
    "the pointer stands before another branch": Scene(
        lambda b: newer(pointer(older(stem(b)), "A2")), "A2", "C2"
    ),
    "the pointer stands before its own line goes on": everywhere(
        lambda b: answer(prompt(pointer(older(stem(b)), "A2"), "U3", "A2", 6), "A3", "U3", 7), "A3"
    ),
    "the pointer names one branch, the other goes on": Scene(
        lambda b: answer(prompt(pointer(fork(b), "C2"), "U3", "A2", 8), "A3", "U3", 9), "C2", "A3"
    ),
    "the pointer names nothing in the file": everywhere(lambda b: pointer(fork(b), "gone"), "C2"),
    "of two pointers the last counts": Scene(
        lambda b: pointer(pointer(fork(b), "C2"), "A2"), "A2", "C2"
    ),
    "the pointer bears another session's id": Scene(
        lambda b: fork(b).last_prompt("x", "A2", sessionId="another"), "A2", "C2"
    ),
    "the pointer has nothing but a leaf": Scene(
        lambda b: fork(b).last_prompt(None, "A2", sessionId=ABSENT), "A2", "C2"
    ),
    "a title with a leaf is no pointer": everywhere(
        lambda b: fork(b).mark("custom-title", customTitle="t", leafUuid=b.uuid("A2")), "C2"
    ),
    "titles follow the pointer": Scene(
        lambda b: pointer(fork(b), "A2").title("t").ai_title("t"), "A2", "C2"
    ),
    "the pointer is the first line": Scene(
        lambda b: fork(b.last_prompt("x", b.next_uuid("A2"))), "A2", "C2"
    ),
    # -- lines that come again
    "the old leaf comes again": Scene(lambda b: fork(b).again("A2"), "A2", "C2"),
    "the old leaf comes again, stamped anew": everywhere(lambda b: again(fork(b), "A2", 9), "A2"),
    "an answer on the way comes again, stamped anew": everywhere(
        lambda b: again(line(b), "A1", 9), "A1"
    ),
    "a uuid with another text": everywhere(
        lambda b: answer(
            prompt(stem(b), "U2", "A1", 2).again("U2", message={"role": "user", "content": "2"}),
            "A2",
            "U2",
            4,
        ),
        "A2",
    ),
    "a uuid with another parent": everywhere(
        lambda b: answer(
            prompt(older(stem(b)).again("U2", parentUuid=b.uuid("U1")), "U3", "A2", 6),
            "A3",
            "U3",
            7,
        ),
        "A3",
    ),
    # -- something hung below an older node
    "a note below the old leaf": everywhere(lambda b: note(fork(b), "A2"), "A2"),
    "a note below the old leaf, of old time": Scene(lambda b: note(fork(b), "A2", 3), "A2", "C2"),
    "a note below an answer on the way": everywhere(lambda b: note(line(b), "A1"), "A1"),
    "a note below the old leaf, as the first line": Scene(
        lambda b: note_first(fork(b), "A2"), "C2", "A2"
    ),
    "text for the model below the old leaf": everywhere(
        lambda b: fork(b).set_clock(minute(9)).at("A2").meta("M1"), "A2"
    ),
    "an attachment below the old leaf": everywhere(lambda b: attached(fork(b), "A2"), "A2"),
    "an attachment below an answer on the way": everywhere(lambda b: attached(line(b), "A1"), "A1"),
    "progress below the old leaf": Scene(
        lambda b: working(fork(b), "A2"), "C2", "C2", {"2.1.50": "A2"}
    ),
    "a prompt below an answer on the way": everywhere(
        lambda b: prompt(line(b), "N1", "A1", 9), "N1"
    ),
    "an answer below an answer on the way": everywhere(
        lambda b: answer(line(b), "N1", "A1", 9), "N1"
    ),
    "an answer below an older one, and a stale pointer": Scene(
        lambda b: answer(pointer(line(b), "A3"), "N1", "A1", 9), "A3", "N1"
    ),
    "a note below an older answer, and a stale pointer": Scene(
        lambda b: note(pointer(line(b), "A3"), "A1"), "A3", "A1"
    ),
    "a note below an older answer, and a pointer to it": everywhere(
        lambda b: pointer(note(pointer(line(b), "A3"), "A1"), "S1"), "A1"
    ),
    "a pointer to the end, then one to the way": everywhere(
        lambda b: pointer(pointer(line(b), "A3"), "A1"), "A3"
    ),
    "a pointer to the way, then one to the end": everywhere(
        lambda b: pointer(pointer(line(b), "A1"), "A3"), "A3"
    ),
    # -- agents inside the file
    "an agent below the last answer": Scene(
        lambda b: agent(older(stem(b)), "A2"),
        "A2",
        "X2",
        {"2.1.50": "A2", "2.0.76": "A2"},
    ),
    "an agent with a root of its own": Scene(
        lambda b: agent(older(stem(b)), None),
        "A2",
        "X2",
        {"2.1.50": "A2", "2.0.76": "A2"},
    ),
    # -- broken links
    "a parent that is not there": everywhere(unmatched_parent, "A2"),
    "a parent that is not there, on an older branch": everywhere(orphan_beside, "C2"),
    # Up to 2.0.76 clients never come back from a circle; we give the tip all the same.
    "a circle of everything": everywhere(lambda b: older(stem(b)).reparent("U1", "A2"), "A2"),
    "a circle at the start": everywhere(lambda b: line(b).reparent("U1", "A1"), "A3"),
    "a prompt that is its own parent": everywhere(lambda b: line(b).reparent("U2", "U2"), "A3"),
    "two roots, the newer last": everywhere(lambda b: another_root(stem(b)), "R2"),
    "two roots, the newer first": Scene(lambda b: stem(another_root(b)), "A1", "R2"),
    "children stand before their parents": Scene(
        lambda b: backwards(line(b)), "A3", "A3", {"2.1.250": "U1", "2.1.150": "U1"}
    ),
    # -- damaged bytes
    "a torn last line": everywhere(lambda b: line(b).tear_line(), "U3"),
    "a torn last line that has an end": everywhere(
        lambda b: instead(line(b), 5, b.lines()[5][:120]), "U3"
    ),
    "a broken line between": everywhere(lambda b: after(line(b), 3, b"{not json"), "A3"),
    "a broken line in the place of a prompt": everywhere(
        lambda b: instead(line(b), 2, b"{not json"), "A3"
    ),
    "no end of the last line": everywhere(lambda b: line(b).drop_newline(), "A3"),
    "empty lines and carriage returns": everywhere(lambda b: after(line(b).crlf(), 2, b""), "A3"),
    "zero bytes": everywhere(lambda b: after(line(b), 4, b"\0" * 50), "A3"),
    "a byte order mark": everywhere(lambda b: line(b).bom(), "A3"),
    # -- compaction
    "a compaction": everywhere(compacted, "A4"),
    "a pointer before the compaction": Scene(lambda b: pointer(compacted(b), "A2"), "A2", "A4"),
    "a note and a pointer before the compaction": everywhere(
        lambda b: pointer(note(compacted(b), "A2", 13), "S1"), "A2"
    ),
    "a compaction that kept messages": everywhere(preserved, "A4"),
    "a compaction with a parent": everywhere(
        lambda b: compacted(b).reparent("CS.boundary", "A3"), "A4"
    ),
    # -- missing fields
    "another session's id in every record": everywhere(
        lambda b: line(b.change(session_id="another")), "A3"
    ),
    "only the fields that are needed": everywhere(
        lambda b: with_only(line(b), *MINIMAL, "timestamp", "sessionId"), "A3"
    ),
    "only what is needed, without the session's id": later(
        lambda b: with_only(line(b), *MINIMAL, "timestamp"), "A3", "A3"
    ),
    "no time and no session's id": Scene(lambda b: with_only(line(b), *MINIMAL), None, "U1"),
    "no time": Scene(
        lambda b: with_only(line(b), *MINIMAL, "sessionId", "isSidechain", "cwd"), None, "U1"
    ),
    "a message without an id": later(
        lambda b: line(b).amend("A1", message={"role": "assistant", "content": [text("A1")]}),
        "A3",
        "A3",
    ),
    # -- calls
    "parallel calls": everywhere(parallel, "A3"),
    "a call without a result at the end": everywhere(dangling, "A2x"),
    "a pointer to a call on the way": everywhere(lambda b: pointer(called(b), "A2x"), "A4"),
    "a note below parallel calls, and a pointer to it": later(
        lambda b: pointer(
            note(pointer(answer(prompt(parallel(b), "U4", "A3", 5), "A4", "U4", 6), "A4"), "A3"),
            "S1",
        ),
        "A3",
        "A3",
    ),
    # -- a fork is made of what would be resumed
    "forked": Scene(fork, "C2", "C2", measured_on_first=False),
    "forked with a pointer": later(lambda b: pointer(fork(b), "A2"), "A2", "C2"),
    # -- finer points of the pointer
    "the pointer names a prompt on the other branch": later(
        lambda b: pointer(
            newer(answer(prompt(older(stem(b)), "U3", "A2", 3), "A3", "U3", 3)), "U2"
        ),
        "U2",
        "C2",
    ),
    "the pointer names the fork, the newer last": later(
        lambda b: pointer(fork(b), "A1"), "C2", "C2"
    ),
    "the pointer names the fork, the newer first": later(
        lambda b: pointer(older(newer(stem(b))), "A1"), "A2", "C2"
    ),
    "an answer on the way comes again as it was": later(
        lambda b: line(b).again("A1"), "A1", "A3", v2_1_325="A3"
    ),
    "an answer comes again between, stamped anew": later(
        lambda b: answer(prompt(again(older(stem(b)), "A1", 9), "U3", "A2", 6), "A3", "U3", 7),
        "A3",
        "A1",
    ),
    "an answer comes again as it was, and the pointer names it": later(
        lambda b: pointer(line(b).again("A1"), "A1"), "A1", "A3"
    ),
    "an answer comes again stamped anew, and a stale pointer": later(
        lambda b: again(pointer(line(b), "A3"), "A1", 9), "A3", "A1"
    ),
    "an answer comes again stamped anew, and the pointer names it": later(
        lambda b: pointer(again(pointer(line(b), "A3"), "A1", 9), "A1"), "A1", "A1"
    ),
    "the pointer stands before what it names": later(
        lambda b: note(line(b).last_prompt("x", b.next_uuid("S1")), "A1"), "A1", "A1"
    ),
    "a note of old time, and a pointer to it": later(
        lambda b: pointer(note(pointer(line(b), "A3"), "A1", 1), "S1"), "A1", "A3"
    ),
    "the pointer names a prompt without an answer": later(
        lambda b: pointer(newer(prompt(stem(b), "U2", "A1", 2)), "U2"), "U2", "C2"
    ),
    "the pointer names an agent's line": later(
        lambda b: pointer(agent(newer(stem(b)), "A1"), "X2"),
        None,
        "X2",
        v2_1_50="C2",
        v2_0_76="C2",
    ),
    "the pointer names an attachment": later(
        lambda b: pointer(attached(pointer(line(b), "A3"), "A1"), "T1"), "A1", "A1"
    ),
    "the pointer names progress": later(
        lambda b: pointer(working(pointer(line(b), "A3"), "A1"), "P1"), "A3", "A3", v2_1_50="A1"
    ),
    "the pointer's line goes on, then another branch": later(
        lambda b: answer(
            prompt(
                answer(prompt(pointer(older(stem(b)), "A2"), "U3", "A2", 6), "A3", "U3", 7),
                "B2",
                "A1",
                8,
            ),
            "C2",
            "B2",
            9,
        ),
        "A2",
        "C2",
    ),
    "a note on another root, and a pointer to it": later(
        lambda b: pointer(note(pointer(another_root(stem(b)), "R2"), "A1"), "S1"), "A1", "A1"
    ),
    "a note marked as meta, and a pointer to it": later(
        lambda b: pointer(note(pointer(line(b), "A3"), "A1").amend("S1", isMeta=True), "S1"),
        "A1",
        "A1",
    ),
    "a note with hardly a field, and a pointer to it": later(
        lambda b: pointer(note(pointer(line(b), "A3"), "A1").amend("S1", **NOTHING), "S1"),
        "A1",
        "A1",
    ),
    "a note below a prompt, and a pointer to it": later(
        lambda b: pointer(note(pointer(line(b), "A3"), "U2"), "S1"), "U2", "U2"
    ),
    "a turn's duration below an older answer, and a pointer to it": later(
        lambda b: pointer(
            note(pointer(line(b), "A3"), "A1").amend("S1", subtype="turn_duration", durationMs=1),
            "S1",
        ),
        "A1",
        "A1",
    ),
    "a pointer without words": later(
        lambda b: note(pointer(line(b), "A3"), "A1").last_prompt(None, "S1"), "A1", "A1"
    ),
}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def called(builder: SampleSession) -> SampleSession:
    prompt(stem(builder), "U2", "A1", 2).set_clock(minute(3))
    builder.tool("Bash", {"command": "echo 1"}, "one", name="A2x")
    return builder.set_clock(minute(5)).assistant("A4", name="A4")


def note_first(builder: SampleSession, under: str) -> SampleSession:
    note(builder, under)
    builder.entries.insert(0, builder.entries.pop())
    return builder


def after(builder: SampleSession, number: int, raw: bytes) -> SampleSession:
    """Put a line of bytes after others."""
    builder.entries.insert(number, DraftLine(raw))
    return builder


def tip_of(builder: SampleSession, client: str) -> str | None:
    """Name what a client would continue from."""
    records = read(builder)
    tree = build_tree(records)
    choice = choose_resume_node(records, tree, parse_version(client))
    if choice.node == NONE:
        return None
    session_builder = build_message_tree(tree, sidechain=tree.nodes[choice.node].is_sidechain)
    group = find_active_group(session_builder, choice)
    return builder.name_of(tree.uuid(session_builder.last_line(group)))


@pytest.mark.parametrize("name", SCENES)
def test_the_active_tip_is_what_the_client_was_seen_to_resume(name: str) -> None:
    scene = SCENES[name]
    builder = session(version="2.0.76")
    scene.write(builder)

    found = {client: tip_of(builder, client) for client in scene.expected()}

    assert found == scene.expected()


# -- the rules by version ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("client", "rule"),
    [
        ("1.0.51", NEWEST_TIMESTAMP),
        ("2.1.100", NEWEST_TIMESTAMP),
        ("2.1.101", LAST_LINE),
        ("2.1.119", LAST_LINE),
        ("2.1.120", LAST_PROMPT),
        ("2.1.325", LAST_PROMPT),
        ("3.0.0", LAST_PROMPT),
    ],
)
def test_the_rule_follows_the_version(client: str, rule: str) -> None:
    assert rule_of(parse_version(client)) == rule


def test_a_client_we_cannot_tell_follows_the_newest_rule() -> None:
    assert rule_of(parse_version("unknown")) == LAST_PROMPT
    assert rule_of(None) == LAST_PROMPT


def test_clients_between_take_the_last_line_whatever_its_time_and_the_pointer() -> None:
    builder = pointer(older(newer(stem(session()))), "C2")

    assert {client: tip_of(builder, client) for client in ("2.1.101", "2.1.119")} == {
        "2.1.101": "A2",
        "2.1.119": "A2",
    }


def test_the_newest_version_is_found_by_its_numbers_not_its_letters() -> None:
    builder = session(version="2.1.9").user("a").change(version="2.1.100").user("b")
    builder.change(version="dev").user("c")

    assert find_newest_version(read(builder)) == "2.1.100"


def test_a_file_without_versions_has_no_newest() -> None:
    assert find_newest_version(read(with_only(line(session()), *MINIMAL))) is None


def test_a_pointer_left_by_a_rewind_names_nothing_so_the_last_line_counts() -> None:
    builder = line(session()).rewind_pointer()

    assert tip_of(builder, "2.1.325") == "A3"


def test_a_file_with_nothing_said_has_no_active_tip() -> None:
    builder = session().title("empty").snapshot()

    assert tip_of(builder, "2.1.325") is None
    assert tip_of(builder, "2.0.76") is None


def test_a_choice_with_no_talk_above_it_takes_what_was_said_last_before_it() -> None:
    builder = line(session()).at(None).informational("on its own", name="S1")

    assert tip_of(builder, "2.1.325") == "A3"


def test_after_a_compaction_at_the_end_the_talk_before_it_is_active() -> None:
    builder = line(session()).compact("what was said", name="CS")

    assert tip_of(builder, "2.1.325") == "A3"


def test_a_result_at_the_end_leads_to_the_call_it_answers() -> None:
    builder = session().user("go").tool("Bash", {}, "done", name="call")

    assert tip_of(builder, "2.1.325") == "call"


# -- pointers that a client does not follow --------------------------------------------------------

MEASURED = ("2.1.325", "2.1.300", "2.1.200", "2.1.150", "2.1.140")
WAYS_TO_COMPACT: dict[str, tuple[str, ...]] = {"nothing kept": (), "kept": ("U3", "A3")}


def goes_on_compacted(builder: SampleSession, *keep: str) -> SampleSession:
    builder.set_clock(minute(10)).compact("what was said", name="CS", keep=keep)
    return answer(prompt(builder, "U4", "CS", 11), "A4", "U4", 12)


@pytest.mark.parametrize("client", MEASURED)
@pytest.mark.parametrize("keep", WAYS_TO_COMPACT.values(), ids=WAYS_TO_COMPACT)
@pytest.mark.parametrize("leaf", ["U3", "A3", "A2"])
def test_a_compaction_ends_what_a_pointer_before_it_says(
    client: str, keep: tuple[str, ...], leaf: str
) -> None:
    builder = goes_on_compacted(pointer(line(session(version="2.1.250")), leaf), *keep)

    assert tip_of(builder, client) == "A4"


@pytest.mark.parametrize("client", MEASURED)
def test_a_compaction_ends_what_a_pointer_to_a_left_branch_says(client: str) -> None:
    builder = newer(pointer(older(stem(session(version="2.1.250"))), "A2"))

    assert tip_of(builder, client) == "A2"
    assert tip_of(goes_on_compacted(builder), client) == "A4"


@pytest.mark.parametrize("client", MEASURED)
@pytest.mark.parametrize("leaf", ["U3", "A3", "A2"])
def test_behind_a_compaction_that_kept_messages_no_pointer_leads_before_it(
    client: str, leaf: str
) -> None:
    builder = goes_on_compacted(line(session(version="2.1.250")), "U3", "A3")

    assert tip_of(pointer(builder, leaf), client) == "A4"


@pytest.mark.parametrize("place", [2, 3], ids=["a call", "its result"])
def test_a_pointer_beside_the_call_that_claude_went_on_from_counts_up_to_2_1_280(
    place: int,
) -> None:
    builder = prompt(session(version="2.1.250"), "U1", None, 0).set_clock(minute(1))
    calls = [SampleCall(tool="Bash", given={}, result=word) for word in ("one", "two")]
    builder.tools(*calls)
    _, _, second_call, first_result, second_result = builder.nodes
    beside, went_on = {2: (second_call, first_result), 3: (first_result, second_result)}[place]
    answer(prompt(answer(builder, "A3", went_on, 3), "U4", "A3", 4), "A4", "U4", 5)
    records = read(pointer(builder, beside))
    tree = build_tree(records)

    found = {
        client: tree.uuid(choose_resume_node(records, tree, parse_version(client)).node)
        for client in ("2.1.140", "2.1.280", "2.1.290", "2.1.325")
    }

    followed, passed = dict.fromkeys(("2.1.140", "2.1.280"), beside), builder.uuid("A4")
    assert found == followed | dict.fromkeys(("2.1.290", "2.1.325"), passed)


def test_a_pointer_to_another_message_beside_is_followed_by_the_newest_clients_too() -> None:
    builder = answer(stem(session()), "A1b", "U1", 1)
    answer(prompt(builder, "U2", "A1b", 2), "A2", "U2", 3)

    assert tip_of(pointer(builder, "A1"), "2.1.325") == "A1"


# -- files larger than 5 MiB ---------------------------------------------------------------------

LIMIT = 5 * 1024 * 1024


def filled_to(size: int, builder: SampleSession) -> SampleSession:
    """Make the first prompt so long that the file has this many bytes."""
    missing = size - len(builder.bytes())
    return builder.amend("U1", message={"role": "user", "content": "U1" + "x" * missing})


@pytest.mark.parametrize("client", ["2.1.150", "2.1.325"])
def test_up_to_5_mib_a_pointer_before_the_compaction_counts(client: str) -> None:
    builder = filled_to(LIMIT, pointer(compacted(session()), "A2"))

    assert len(builder.bytes()) == LIMIT
    assert tip_of(builder, client) == "A2"


@pytest.mark.parametrize("client", ["2.1.150", "2.1.325"])
def test_above_5_mib_a_pointer_before_the_compaction_is_ignored(client: str) -> None:
    builder = filled_to(LIMIT + 1, pointer(compacted(session()), "A2"))

    assert tip_of(builder, client) == "A4"


@pytest.mark.parametrize("client", ["2.1.150", "2.1.325"])
def test_above_5_mib_a_note_below_a_line_before_the_compaction_is_ignored(client: str) -> None:
    builder = filled_to(LIMIT + 1, pointer(note(compacted(session()), "A2", 13), "S1"))

    assert tip_of(builder, client) == "A4"


@pytest.mark.parametrize("client", ["2.1.150", "2.1.325"])
def test_above_5_mib_a_note_after_the_compaction_still_counts(client: str) -> None:
    builder = answer(prompt(compacted(session()), "U5", "A4", 13), "A5", "U5", 14)
    filled_to(LIMIT + 1, pointer(note(builder, "A4", 15), "S1"))

    assert tip_of(builder, client) == "A4"


def test_above_5_mib_without_a_compaction_every_pointer_counts() -> None:
    builder = filled_to(LIMIT + 1, pointer(fork(session()), "A2"))

    assert tip_of(builder, "2.1.325") == "A2"


def test_above_5_mib_older_clients_still_read_everything() -> None:
    builder = filled_to(LIMIT + 1, note(compacted(session()), "A2", 13))

    assert tip_of(builder, "2.1.50") == "A2"


def test_the_size_of_the_file_is_what_counts_where_it_is_known() -> None:
    """Outlines know where a record begins, not how long it was."""
    builder = pointer(compacted(session()), "A2")
    found = read(builder)
    tree = build_tree(found)
    client = parse_version("2.1.325")

    sizes = {
        size: choose_resume_node(found, tree, client, size).node for size in (LIMIT, LIMIT + 1)
    }

    assert sizes == {
        LIMIT: tree.number[builder.uuid("A2")],
        LIMIT + 1: tree.number[builder.uuid("A4")],
    }


# -- compactions that kept messages ----------------------------------------------------------------


@pytest.mark.parametrize("client", ["2.1.250", "2.1.325"])
def test_after_kept_messages_a_note_is_neither_tip_nor_target(client: str) -> None:
    builder = preserved(session())
    pointer(note(builder, "A2", 13), "S1")

    assert tip_of(builder, client) == "A4"


def test_after_kept_messages_a_pointer_to_a_prompt_or_an_answer_counts() -> None:
    builder = answer(prompt(preserved(session()), "N1", "U4", 13), "N2", "N1", 14)
    pointer(builder, "A4")

    assert tip_of(builder, "2.1.325") == "A4"
