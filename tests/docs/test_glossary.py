"""docs/glossary.md: our own words, and nothing else, make the names of our classes."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "bough"
SPLIT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
ENTRY = re.compile(r"^\| ([a-z ]+) \| ([A-Z].*?) \| (.*) \|$", re.MULTILINE)

# Plain words of the field and of English, which need no explanation. Sorted, and none too many.
_FIELD = """
    a about accept access action activity ai alerts all allocator already ambiguous and
    annotated answer answerer any api app append appended applied arguments artifact ascii
    assistant atis attachment attribution autoreact background bad bar base bash batch before
    begin binary blob body bough bridge brief broadcaster builder burn busy cache calendar
    cannot canvas cell changed check checklist chips choice chooser chosen classified claude
    clause clicked code collector color column command comment compact compare compared
    comparison complete completion conditions connection consent content context copied copy
    cost counts create creation cursor custom damage data date dated day deleted deletion delta
    demo depth desktop detail details detector diff difference disk doctor draft draw drawing
    dropped durations earlier early edit embedded end entry environment error evidence exit
    expectation explained explanation export facet fact failure fault fetch field file filter
    find finished fish fix folder follow follower forget format found fts globals glyphs gone
    goto graph growing guide handle header help hidden history home hook host hour html hunk ids
    ignore image import in included indexed info injected inside instead isolation item job json
    keeper key keymap keywords kind kit known language last latch late layout ledger less limit
    list listed listener live loaded local lock login long make map mark markdown masked match
    matcher maybe media member membership memory merge merged meta metadata middleware migration
    misuse mode model monitor move moved name narrator navigation near neighbour neighbourhood
    new no not notebook notice notifier numbered of one only open operation option options or
    origin other out outliner output outside overview pace packed packer page paged palette pane
    panes params part partial path pattern percentiles permission phase picture place planned
    policy poll poller pool port position possible powershell pr preserved preview price priced
    pricing priority problem progress projection protocol proxy pull pulled pushable query
    question queue quiet rail range ranked rate raw reader reading ready redacted redactor ref
    reference refresh refusal regex regular relocated remove renamed render rendered renderer
    repaired replace replaced replacement report reported request reset response restore result
    retry revert rewriter role route row rule run running sample saved schedule scoped screen
    search searchable searcher secret seen selection selector sent server setting shape share
    shell sign single site slash slice small snapshot spec speculation split sql sqlite stamp
    stars start started state stats status stored string structured style subject suggested
    suggestion sum summary surface syntax system table tag taken target task term terminal text
    theme there thinking thought thread tier time title todo token too tool top total touch
    tracker travel trouble trust type unchecked undo unit unknown unlinked unreadable unsafe
    update updater usage use used user value vanished verification verified viewport vocabulary
    watch watched watcher web where word work worker workflow write writer written yet zone zoom
    zsh
"""
FIELD_WORDS = _FIELD.split()


@cache
def entries() -> tuple[tuple[str, str, str], ...]:
    page = ROOT.joinpath("docs", "glossary.md").read_text(encoding="utf-8")
    return tuple((word, means, where) for word, means, where in ENTRY.findall(page))


@cache
def public_classes() -> dict[str, str]:
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name] = path.relative_to(SOURCE).as_posix()
    return found


def words_of(name: str) -> set[str]:
    return {word.lower() for word in SPLIT.findall(name)}


def forms_of(word: str) -> set[str]:
    """Give a word and what it may be the plural of."""
    return {word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"}


def is_ours(word: str) -> bool:
    """Tell whether a word has an entry."""
    return bool(forms_of(word) & {part for entry, _, _ in entries() for part in entry.split()})


def is_plain(word: str) -> bool:
    """Tell whether a word is one of the field."""
    return bool(forms_of(word) & set(FIELD_WORDS))


def test_every_class_is_named_with_words_that_are_explained_or_plain() -> None:
    strange = {
        name: sorted(unknown)
        for name in public_classes()
        if (unknown := {w for w in words_of(name) if not is_plain(w) and not is_ours(w)})
    }

    assert strange == {}


def test_the_plain_words_are_sorted_used_and_not_explained() -> None:
    words = set().union(*map(words_of, public_classes()))
    used = set().union(*map(forms_of, words))

    assert sorted(set(FIELD_WORDS)) == FIELD_WORDS
    assert [word for word in FIELD_WORDS if word not in used] == []
    assert [word for word in FIELD_WORDS if is_ours(word)] == []


def test_words_stand_in_alphabetical_order_and_once() -> None:
    words = [word for word, _, _ in entries()]

    assert len(words) > 40
    assert words == sorted(set(words))


def test_every_word_names_what_embodies_it() -> None:
    types = public_classes().keys() | {"ContentBlock", "Step"}
    for word, means, where in entries():
        named = re.findall(r"`([^`]+)`", where)
        missing = [one for one in named if one not in types and not (SOURCE / one).exists()]
        assert named, word
        assert missing == [], word
        assert means.endswith("."), word
