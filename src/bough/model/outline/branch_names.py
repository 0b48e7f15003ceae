"""The names of a session's branches: no two of them have the same.

A branch goes by the first words that were typed on it after it left another, the first one of a
session by those after the last place where something left it. A slash command names a branch
only where nothing else was typed, and then with the prompt before it; another answer goes by the
prompt it answers. Every list and every face takes its names from here. Only what was typed is
looked at: of answers the index keeps no words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from bough.model.conversation.message_rules import turn_rule_for
from bough.model.interpret.message_kinds import MessageKind
from bough.model.outline.turns import describe_prompt
from bough.model.session import Session
from bough.model.text.formats import to_one_line
from bough.model.tree.branches import BranchLine
from bough.model.tree.message_tree import NONE, GroupKind

_LONGEST_PART: Final = 80
_MOST_GROUPS: Final = 200
"""So many groups are looked at for the words of one branch."""


class _BranchWords(Struct, frozen=True):
    """What a branch may be called: by its first words, or with its last ones too."""

    first: str
    last: str = ""

    @property
    def both(self) -> str:
        return _join_words(self.first, self.last) if self.last else self.first


def name_branches(session: Session) -> list[str]:
    """Name the conversations of a session, in their order."""
    if len(session.conversations) < 2:
        return [session.title for _ in session.conversations]
    lines = {line.groups[-1]: line for line in _list_lines(session)}
    words = [_find_words(session, lines.get(tip.group), at) for at, tip in enumerate(session.tips)]
    return _make_distinct(words, session.title)


def name_tips(session: Session) -> dict[str, str]:
    """Name the conversations of a session, each by its tip."""
    names = name_branches(session)
    return {one.tip or "": name for one, name in zip(session.conversations, names, strict=True)}


def _list_lines(session: Session) -> Iterator[BranchLine]:
    waiting = list(session.branch_lines)
    while waiting:
        line = waiting.pop()
        yield line
        waiting += [leaving for lines in line.side_branches.values() for leaving in lines]


def _find_words(session: Session, line: BranchLine | None, number: int) -> _BranchWords:
    """Find the words of one branch; a line of agents that old clients resume has its title."""
    tip = session.tips[number].group
    if tip == NONE:
        return _BranchWords(to_one_line(session.conversations[number].title or ""))
    groups = _own_groups(line, tip)
    typed = list(_list_prompts(session, groups[:_MOST_GROUPS]))
    spoken = [words for words, is_command in typed if not is_command]
    if spoken:
        last = next(
            (
                w
                for w, is_command in _list_prompts(session, groups[:-_MOST_GROUPS:-1])
                if not is_command and w != spoken[0]
            ),
            "",
        )
        return _BranchWords(spoken[0], last)
    if typed:
        before = _find_prompt_above(session, groups[0])
        return _BranchWords(_join_words(before, typed[0][0]) if before else typed[0][0])
    asked = _find_prompt_above(session, groups[0])
    return _BranchWords(f"another answer to {asked}" if asked else "")


def _own_groups(line: BranchLine | None, tip: int) -> Sequence[int]:
    """List the groups of a branch behind the place where it left, or where it was left."""
    if line is None:
        return [tip]
    if line.parent != NONE:
        return line.groups
    parted = max(
        (at for at, group in enumerate(line.groups) if group in line.side_branches), default=-1
    )
    return line.groups[parted + 1 :] or line.groups


def _list_prompts(session: Session, groups: Iterable[int]) -> Iterator[tuple[str, bool]]:
    """List what was typed in some groups, each with whether it is a slash command."""
    tree = session.message_tree
    for group in groups:
        if tree.groups[group].kind is not GroupKind.PROMPT:
            continue
        record = tree.tree.nodes[tree.groups[group].first]
        rule = turn_rule_for(record)
        if rule is not None and (words := describe_prompt(record, rule).strip()):
            yield to_one_line(words), rule.kind is MessageKind.COMMAND


def _find_prompt_above(session: Session, group: int) -> str:
    """Find the last prompt before a branch that is no command."""
    above = islice(_list_groups_above(session, group), _MOST_GROUPS)
    found = (words for words, is_command in _list_prompts(session, above) if not is_command)
    return next(found, "")


def _list_groups_above(session: Session, group: int) -> Iterator[int]:
    groups = session.message_tree.groups
    while (group := groups[group].parent) != NONE:
        yield group


def _join_words(first: str, last: str) -> str:
    return f"{to_one_line(first, _LONGEST_PART)}, then {to_one_line(last, _LONGEST_PART)}"


def _make_distinct(words: Sequence[_BranchWords], title: str) -> list[str]:
    """Give each branch a name of its own: its first words, its last ones too, or a number."""
    firsts = [one.first or title for one in words]
    shared = _find_shared(firsts)
    names = [
        one.both if first in shared and one.first else first
        for one, first in zip(words, firsts, strict=True)
    ]
    shared = _find_shared(names)
    taken = {name for name in names if name not in shared}
    seen: Counter[str] = Counter()
    found: list[str] = []
    for name in names:
        if name not in shared:
            found.append(name)
            continue
        seen[name] += 1
        numbered = name if seen[name] == 1 else f"{name} ({seen[name]})"
        while numbered in taken:
            seen[name] += 1
            numbered = f"{name} ({seen[name]})"
        taken.add(numbered)
        found.append(numbered)
    return found


def _find_shared(names: Iterable[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}
