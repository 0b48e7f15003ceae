"""Health: what is damaged, unknown, or out of a resume's reach.

Findings are values with a place and a sentence. Nothing here judges how a person works;
what every healthy file has (parallel calls, compactions, several roots) is no finding.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.message_rules import (
    label_turn_opener,
    list_turn_openers,
    turn_rule_for,
)
from bough.model.interpret.message_kinds import SYNTHETIC
from bough.model.interpret.user_records import UserRecordKind, classify_user_record, is_caveat
from bough.model.text.formats import to_one_line
from bough.model.tree.active_tip import (
    LAST_PROMPT,
    ResumeChoice,
    choose_live_node,
    find_active_group,
)
from bough.model.tree.build import NONE, GroupKind, MessageTree
from bough.model.tree.nodes import ROOT, Tree
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, System, Unknown, User

PROBLEM = "problem"
NOTE = "note"


class Finding(Struct, frozen=True):
    """One thing found: what, how bad (problem or note), where, and what can be done."""

    kind: str
    severity: str
    where: str
    message: str
    action: str


class Health(Struct, frozen=True):
    """The findings, and the share of the conversation that a resume would see."""

    reachability: float
    findings: list[Finding]


_OF_COMMANDS = (UserRecordKind.COMMAND, UserRecordKind.COMMAND_OUTPUT, UserRecordKind.META)
_NOTHING = "Nothing to do."
_END_IT = "bough repair SESSION --dry-run shows a copy that ends well."
_READ_IT = "bough repair SESSION --dry-run shows a copy that resumes whole."
_SET_IT = "bough repair SESSION --dry-run shows a copy that continues at the newest line."
_WORDS = 60
_SESSION = "SESSION"
_SHORT_ID = 8


def name_session_in_actions(health: Health, session: str) -> Health:
    """Write a session's own id where an action names a session, so that it can be run as it is."""
    named = [
        replace(finding, action=finding.action.replace(_SESSION, session[:_SHORT_ID]))
        for finding in health.findings
    ]
    return replace(health, findings=named)


def examine_session(
    records: Sequence[Record],
    bad_lines: Sequence[BadLine],
    tree: MessageTree,
    choice: ResumeChoice,
    conversation: Conversation,
) -> Health:
    """Look at one session."""
    resume = _follow_resume(tree, choice)
    number = tree.tree.number
    left = find_left_line(records, tree, choice)
    talk = _list_talk(tree, conversation, left)
    missed = [
        r
        for r in talk
        if number[r.uuid or ""] not in resume.seen and not _is_farewell(tree, choice, r)
    ]
    findings = [
        *_report_bad_lines(bad_lines, len(records) + len(bad_lines)),
        *_report_missing_newline(records, bad_lines),
        *_report_broken_links(tree, resume, missed if left == NONE else []),
        *_report_repeats(tree),
        *_report_unknown_kinds(records),
        *_report_tip(tree, choice, talk),
        *_report_left_branch(tree, choice, left),
    ]
    findings = _report_caveat(tree, choice, conversation, findings)
    if choice.is_live:
        findings.append(_report_open(tree, choice))
    return Health(round(1 - len(missed) / len(talk), 4) if talk else 1.0, findings)


def find_left_line(records: Sequence[Record], tree: MessageTree, choice: ResumeChoice) -> int:
    """Find the end of the newest line where a resume would go back from it; else NONE.

    So it is after a crash: clients before 2.1.325 wrote no pointer when a person went back, and
    an older `last-prompt` still names the branch that was left. It may also name what was said
    before a compaction, or one of several calls beside which Claude went on: a client that does
    not meet it above the last line takes it for the place where the talk ends.
    """
    if choice.node == NONE or choice.is_live or tree.tree.nodes[choice.node].is_sidechain:
        return NONE
    newest = choose_live_node(records, tree.tree).node
    last = tree.above[newest] if newest != NONE else NONE
    here = find_active_group(tree, choice)
    if NONE in (last, here) or last in tree.path(here):
        return NONE
    if here in tree.path(last):
        goes_on = choice.rule != LAST_PROMPT or choice.node in tree.tree.walk_up(newest)
        return NONE if goes_on else last
    return last


def _list_talk(tree: MessageTree, conversation: Conversation, left: int) -> list[Record]:
    """List what was said in the conversation that is shown, and on a newest line beside it."""
    nodes = {id(record): record for record in conversation.nodes}
    for number in (n for group in tree.path(left) for n in tree.groups[group].nodes):
        nodes.setdefault(id(tree.tree.nodes[number]), tree.tree.nodes[number])
    return [r for r in nodes.values() if isinstance(r, User | Assistant) and r.uuid]


def _report_left_branch(tree: MessageTree, choice: ResumeChoice, left: int) -> list[Finding]:
    """Report that a resume goes back to where nobody is any more, and what it loses so."""
    if left == NONE:
        return []
    place = find_active_group(tree, choice)
    line = tree.path(left)
    here = set(tree.path(place))
    own = [group for group in line if group not in here]
    numbers = sorted({n for k in own for n in (*tree.groups[k].nodes, *tree.groups[k].notes)})
    lost = list_turn_openers(tree.tree.nodes[number] for number in numbers)
    why = "which an old pointer names" if place in line else "on a branch that was left"
    message = f"A resume would go back to {_name_turn(tree, place)}, {why}"
    message += f", and lose {_describe_turns(lost) if lost else 'the end of its turn'}."
    return [Finding("left-branch", PROBLEM, "tip", message, _SET_IT)]


def _report_caveat(
    tree: MessageTree,
    choice: ResumeChoice,
    conversation: Conversation,
    findings: list[Finding],
) -> list[Finding]:
    """Report the turns that a resume passes by because commands hang on one caveat.

    Clients from 1.0.35 to 1.0.56 hang every local command on the first caveat of a process.
    This says more than that something stands beside the path, so it stands instead of that.
    """
    walk = tree.tree.walk_up(choice.node) if choice.node != NONE else ()
    passed = (tree.tree.nodes[number] for number in walk)
    if choice.is_live or not any(isinstance(r, User) and is_caveat(r) for r in passed):
        return findings
    number = tree.tree.number
    lost = [
        tree.tree.nodes[number[uuid]]
        for uuid in find_resume_gap(tree, choice, conversation).lost_turns
    ]
    if all(_is_command(record) for record in lost):
        return findings  # what a command did to the client is not talk
    at = _name_turn(tree, find_active_group(tree, choice))
    message = f"A resume would continue at {at} and lose {_describe_turns(lost)}."
    found = Finding("lost-turns", PROBLEM, "tip", message, _READ_IT)
    return [*(f for f in findings if f.kind not in ("off-path", "begun-anew")), found]


def _report_open(tree: MessageTree, choice: ResumeChoice) -> Finding:
    turn = _name_turn(tree, tree.above[choice.node])
    message = (
        f"A client has this session open and goes on after {turn}, its own line. "
        "It writes its pointer anew when it ends."
    )
    return Finding("open", NOTE, "tip", message, _NOTHING)


def _name_turn(tree: MessageTree, group: int) -> str:
    """Name the turn a group is in by what was sent: a command as typed, words quoted."""
    while group != NONE and tree.groups[group].kind is not GroupKind.PROMPT:
        group = tree.groups[group].parent
    if group == NONE:
        return "the beginning"
    record = tree.tree.nodes[tree.groups[group].first]
    words = _cut_words(label_turn_opener(record))
    return words if _is_command(record) else f'"{words}"'


def _is_command(record: Record) -> bool:
    return isinstance(record, User) and classify_user_record(record) is UserRecordKind.COMMAND


def _describe_turns(lost: Sequence[Record]) -> str:
    first = _cut_words(label_turn_opener(lost[0]))
    if len(lost) == 1:
        return f'1 turn, "{first}"'
    return f'{len(lost):,} turns, the first of them "{first}"'


def _cut_words(text: str) -> str:
    words = to_one_line(text)
    return words if len(words) <= _WORDS else words[: _WORDS - 1].rstrip() + "…"


class ResumeGap(Struct, frozen=True):
    """What a resume would leave behind of the active conversation.

    `node` is what the client would continue from, NONE where it finds nothing; `line_end` is
    what the conversation ends with. `lost_turns` are the uuids of what began each turn that
    the client would not load, compactions apart.
    """

    node: int
    line_end: int
    lost_turns: tuple[str, ...]


def find_resume_gap(
    tree: MessageTree, choice: ResumeChoice, conversation: Conversation
) -> ResumeGap:
    """Compare what a client would load with the conversation that is shown."""
    resume = _follow_resume(tree, choice)
    number = tree.tree.number
    nodes = conversation.nodes
    lost = [
        record.uuid
        for record in nodes
        if record.uuid
        and number[record.uuid] not in resume.seen
        and record.offset >= resume.since
        and turn_rule_for(record) is not None
        and not _is_farewell(tree, choice, record)
    ]
    line_end = number[nodes[-1].uuid or ""] if nodes else NONE
    return ResumeGap(choice.node, line_end, tuple(lost))


def _is_farewell(tree: MessageTree, choice: ResumeChoice, record: Record) -> bool:
    """Tell whether a record is of a local command behind the client's place: nothing is lost.

    Old clients continue from the caveat before /exit.
    """
    if not isinstance(record, User) or tree.tree.number[record.uuid or ""] <= choice.node:
        return False
    return choice.node != NONE and classify_user_record(record) in _OF_COMMANDS


class _Resume(Struct):
    """The nodes a client loads, and the offset of the compaction it begins with, else 0."""

    seen: set[int]
    since: int = 0


def _follow_resume(message_tree: MessageTree, choice: ResumeChoice) -> _Resume:
    """Follow a client: up from its choice, to the last compaction."""
    tree = message_tree.tree
    resume = _Resume(set())
    for number in tree.walk_up(choice.node) if choice.node != NONE else ():
        resume.seen.add(number)
        group = message_tree.group_of[number]
        if group != NONE:
            # Clients from 2.1.90 gather a message's other lines and their results.
            resume.seen.update(message_tree.groups[group].nodes)
        record = tree.nodes[number]
        if isinstance(record, System) and record.subtype == "compact_boundary":
            resume.seen |= _find_preserved_nodes(message_tree, record)
            resume.since = tree.lines[number][0].offset
            break
        if isinstance(record, User) and record.is_compact_summary:
            resume.since = tree.lines[number][0].offset
    return resume


def _find_preserved_nodes(tree: MessageTree, boundary: System) -> set[int]:
    metadata = boundary.compact_metadata
    kept = metadata.preserved_messages if metadata is not None else None
    if kept is None:
        return set()
    numbers = (tree.tree.number.get(uuid) for uuid in (*kept.uuids, *kept.all_uuids))
    return {number for number in numbers if number is not None}


def _report_bad_lines(bad_lines: Sequence[BadLine], count: int) -> list[Finding]:
    found = []
    others = count - sum(not line.blank for line in bad_lines)
    shown = {0: "nothing else is", 1: "the other one is"}.get(others, f"the other {others:,} are")
    for line in bad_lines:
        if line.blank:
            continue
        message = f"Line {line.number} cannot be read (offset {line.offset:,}): {line.reason}."
        if line.torn:
            message += " Clients from 2.0.76 to 2.1.250 lose the next record they write after it."
            found.append(Finding("torn-line", PROBLEM, f"line {line.number}", message, _END_IT))
        else:
            action = f"Nothing to do: clients skip it, and {shown} shown."
            found.append(Finding("bad-line", PROBLEM, f"line {line.number}", message, action))
    return found


def _report_missing_newline(
    records: Sequence[Record], bad_lines: Sequence[BadLine]
) -> list[Finding]:
    if not records or (bad_lines and bad_lines[-1].offset > records[-1].offset):
        return []
    last = records[-1]
    if last.raw.endswith(b"\n"):
        return []
    message = (
        f"Line {last.number}, the last, has no newline at its end. Clients up to 2.1.250 would "
        "glue the next record to it."
    )
    return [Finding("no-final-newline", PROBLEM, f"line {last.number}", message, _END_IT)]


def _report_broken_links(
    message_tree: MessageTree, resume: _Resume, missed: Sequence[Record]
) -> list[Finding]:
    """Report what a resume would miss for want of a link; a compaction is no such want.

    Hooks and progress start anywhere, and agents go on from lines of their session.
    """
    tree = message_tree.tree
    found = []
    for number in tree.orphans:
        record = tree.nodes[number]
        if record.is_sidechain:
            continue
        first = tree.lines[number][0].offset
        lost = (
            _count_messages(r for r in missed if r.offset < first) if number in resume.seen else 0
        )
        parent = (record.parent_uuid or "")[:8]
        where = f"line {record.number}"
        if lost:
            count = "1 message before it is" if lost == 1 else f"{lost:,} messages before it are"
            message = f"Line {record.number}: parent {parent} is nowhere. {count} not resumed."
            found.append(Finding("dangling-parent", PROBLEM, where, message, _READ_IT))
            missed = [r for r in missed if r.offset >= first]
        elif isinstance(record, User | Assistant):
            message = f"Line {record.number} goes on from {parent}, which is not in this file."
            found.append(Finding("dangling-parent", NOTE, where, message, _NOTHING))
    aside = [r for r in missed if r.offset >= resume.since and not r.is_sidechain]
    return [*found, *_report_off_path(tree, resume.seen, aside)] if resume.seen else found


def _report_off_path(tree: Tree, seen: set[int], missed: Sequence[Record]) -> list[Finding]:
    """Report what hangs beside the path of a resume, and talk that was begun anew."""
    hangs: dict[int, bool] = dict.fromkeys(seen, True)
    beside: list[Record] = []
    before: list[Record] = []
    for record in missed:
        hung = _is_attached(tree, tree.number[record.uuid or ""], hangs)
        (beside if hung else before).append(record)
    found = []
    if lost := _count_messages(beside):
        where = f"line {beside[0].number}"
        hidden = "1 message" if lost == 1 else f"{lost:,} messages"
        message = f"From {where} on, a resume does not see {hidden} beside its path."
        found.append(Finding("off-path", PROBLEM, where, message, _READ_IT))
    if lost := _count_messages(before):
        where = f"line {before[0].number}"
        message = (
            f"The conversation starts again. {_phrase_lost(lost)} not resumed, from {where} on."
        )
        found.append(Finding("begun-anew", NOTE, where, message, _READ_IT))
    return found


def _is_attached(tree: Tree, number: int, known: dict[int, bool]) -> bool:
    """Tell whether a node hangs below one that is known to; remember it of all between."""
    walked = []
    for above in tree.walk_up(number):
        if above in known:
            break
        walked.append(above)
    else:
        above = ROOT
    found = known.get(above, False)
    known.update(dict.fromkeys(walked, found))
    return found


def _phrase_lost(lost: int) -> str:
    return "1 message is" if lost == 1 else f"{lost:,} messages are"


def _count_messages(records: Iterable[Record]) -> int:
    """Count what was said: prompts, and answers whatever their number of lines."""
    said_ = set()
    for record in records:
        if isinstance(record, Assistant):
            message = message_of(record)
            if message.model != SYNTHETIC:
                said_.add(message.id or record.uuid)
        elif isinstance(record, User) and classify_user_record(record) is UserRecordKind.PROMPT:
            said_.add(record.uuid)
    return len(said_)


def _report_repeats(message_tree: MessageTree) -> list[Finding]:
    tree = message_tree.tree
    found = []
    if tree.cycles:
        circles = "1 circle" if tree.cycles == 1 else f"{tree.cycles:,} circles"
        message = f"{circles} of parents. Clients up to 2.0.76 hang on them."
        action = "bough repair SESSION --dry-run shows a copy without them."
        found.append(Finding("cycle", PROBLEM, "tree", message, action))
    if tree.duplicates:
        lines = "1 line repeats" if tree.duplicates == 1 else f"{tree.duplicates:,} lines repeat"
        message = f"{lines} a uuid; the last of each counts."
        found.append(Finding("duplicate-uuid", NOTE, "tree", message, _NOTHING))
    if tree.copies:
        lines = "1 line is a replay" if tree.copies == 1 else f"{tree.copies:,} lines are replays"
        message = f"{lines} of what was written before; it is shown once."
        found.append(Finding("replayed-copies", NOTE, "tree", message, _NOTHING))
    return found


def _report_unknown_kinds(records: Sequence[Record]) -> list[Finding]:
    kinds: Counter[str] = Counter()
    versions: dict[str, str] = {}
    version = "unknown"
    for record in records:
        version = record.version or version
        if isinstance(record, Unknown):
            name = record.type or "(none)"
            kinds[name] += 1
            versions.setdefault(name, version)
    return [
        Finding(
            "unknown-kind",
            NOTE,
            f"client {versions[name]}",
            f"A kind this bough does not know: {name} {count:,} (client {versions[name]}). "
            "Kept as it is.",
            _NOTHING,
        )
        for name, count in kinds.most_common()
    ]


def _report_tip(tree: MessageTree, choice: ResumeChoice, talk: Sequence[Record]) -> list[Finding]:
    if not talk:
        return []
    if choice.node == NONE:
        message = "The client would find no conversation here to resume."
        return [Finding("not-resumable", PROBLEM, "tip", message, _READ_IT)]
    tip = tree.tree.nodes[choice.node]
    if not tip.is_sidechain or all(record.is_sidechain for record in tree.tree.nodes):
        return []
    where = f"line {tip.number}"
    message = f"An agent's {where} is the newest: clients up to 2.0.14 resume there."
    action = "Resume the session with a client from 2.0.76 on."
    return [Finding("sidechain-tip", PROBLEM, where, message, action)]
