"""Patterns that somebody typed: matched as `re` does it, and stopped where they take too long."""

import random
import re
import signal
import subprocess
import sys
import threading
import time
from itertools import islice
from pathlib import Path

import pytest

from bough.query.search import pattern_process
from bough.query.search.pattern_process import (
    PatternSource,
    PatternTrouble,
    end_pattern_processes,
    match_patterns,
)

ENDLESS = PatternSource("(-|-)*:::q")
LONG_LINE = "-" * 60
SEED = 20_261_116
_ATOMS = (
    *("a", "b", "\u00e9", "\u00df", "K", "\u017f", "\u65e5", ".", "^", "$", "-", "|", ""),
    *(
        "\\w",
        "\\d",
        "\\s",
        "\\S",
        "\\W",
        "\\b",
        "\\B",
        "\\.",
        "\\n",
        "\\t",
        "\\u00e9",
        "\\Z",
        "\\A",
    ),
    *("[ab]", "[^a]", "[a-f0-9]", "[a[:]", "[\\w-]", "(a)", "(?:b)", "(a|b)", "(?P<n>a)"),
    *("(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "{e}", "x{2}", "(?i:A)"),
)
_COUNTS = ("", "", "", "?", "*", "+", "{1,2}", "{0,3}", "*?", "+?", "??", "?+", "++")
_LETTERS = "aabbc\u00e9 \u00dfK\u017f\u65e5-09_\n\t.xA\x1c\u2028\U0001f600\ud800{e}"


def made_pattern(dice: random.Random) -> str:
    return "".join(dice.choice(_ATOMS) + dice.choice(_COUNTS) for _ in range(dice.randint(1, 5)))


def made_patterns(number: int) -> list[PatternSource]:
    """Make patterns that `re` takes."""
    dice = random.Random(SEED)
    found: list[PatternSource] = []
    while len(found) < number:
        one = PatternSource(
            made_pattern(dice), dice.choice((0, re.MULTILINE, re.MULTILINE | re.IGNORECASE))
        )
        try:
            re.compile(one.pattern, one.flags)
        except re.error:
            continue
        found.append(one)
    return found


def test_500_patterns_match_as_they_do_in_re() -> None:
    dice = random.Random(SEED + 1)
    texts = ["".join(dice.choices(_LETTERS, k=dice.randint(0, 24))) for _ in range(40)]
    patterns = made_patterns(500)

    for start in range(0, len(patterns), 50):
        part = patterns[start : start + 50]
        found = match_patterns(part, texts, seconds=60, most=7)

        assert found.stopped_after is None
        for text, several in zip(texts, found.spans, strict=True):
            for one, spans in zip(part, several, strict=True):
                here = re.compile(one.pattern, one.flags).finditer(text)
                assert list(spans) == [match.span() for match in islice(here, 7)], one


def test_a_pattern_without_an_end_is_stopped_and_says_at_which_text() -> None:
    found = match_patterns([ENDLESS], ["none", "--:::q", LONG_LINE, "--:::q"], seconds=0.3)

    assert found.spans == [((),), (((0, 6),),)]
    assert found.stopped_after is not None
    assert found.stopped_after > 0.05


def test_after_a_stop_the_next_pattern_is_matched() -> None:
    match_patterns([ENDLESS], [LONG_LINE], seconds=0.1)

    assert match_patterns([PatternSource("b+")], ["abb"], seconds=60).spans == [(((1, 3),),)]


def test_other_threads_go_on_meanwhile() -> None:
    turns = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal turns
        while not ended.wait(0.005):
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    match_patterns([ENDLESS], [LONG_LINE], seconds=0.5)
    ended.set()
    thread.join()

    assert turns > 10


def test_a_process_is_kept_for_the_next_question_and_replaced_where_it_died() -> None:
    end_pattern_processes()
    match_patterns([PatternSource("a")], ["a"], seconds=60)
    (kept,) = pattern_process._kept
    match_patterns([PatternSource("a")], ["a"], seconds=60)

    assert pattern_process._kept == [kept]

    kept._child.kill()
    kept._child.wait()

    assert match_patterns([PatternSource("a")], ["a"], seconds=60).spans == [(((0, 1),),)]
    assert pattern_process._kept != [kept]


def test_nothing_is_asked_about_no_texts() -> None:
    end_pattern_processes()

    assert match_patterns([ENDLESS], [], seconds=2).stopped_after is None
    assert pattern_process._kept == []


def test_where_no_process_can_be_started_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    end_pattern_processes()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    with pytest.raises(PatternTrouble, match="cannot be started: No such file"):
        match_patterns([PatternSource("a")], ["a"], seconds=1)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="processes are looked up in /proc")
def test_the_process_ends_by_itself_where_its_owner_was_killed() -> None:
    program = (
        "from bough.query.search import pattern_process as p\n"
        "p.match_patterns([p.PatternSource('a')], ['a'], seconds=9)\n"
        "print(p._kept[0]._child.pid, flush=True)\n"
        f"p.match_patterns([p.PatternSource({ENDLESS.pattern!r})], ['-' * 60], seconds=1.0)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        time.sleep(0.3)
        owner.send_signal(signal.SIGKILL)

    end = time.monotonic() + 30
    while is_running(pid):
        assert time.monotonic() < end, "it runs on for nobody"
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
