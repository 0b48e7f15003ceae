"""Made-up conversations of any shape, for laws that must hold for all of them."""

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from bough.sample import SampleSession, session
from tests.unit.timetravel.making import parallel

VERSIONS = ("1.0.80", "1.0.128", "2.0.14", "2.0.76", "2.1.50", "2.1.79", "2.1.118", "2.1.325")


def _turn(book: SampleSession, words: str, back: int) -> None:
    book.user(words).assistant(f"answer to {words}")


def _tools(book: SampleSession, words: str, back: int) -> None:
    book.user(words).tool("Bash", {"command": words}, "out").assistant(f"did {words}")


def _parallel(book: SampleSession, words: str, back: int) -> None:
    calls = parallel(f"{words} a", f"{words} b", f"{words} c")
    order = [(back + at) % 3 for at in range(3)]
    book.user(words).tools(*calls, order=order).assistant(f"did {words}")


def _thinking(book: SampleSession, words: str, back: int) -> None:
    book.user(words).thinking("hm").assistant(f"thought of {words}").turn_duration()


def _hook(book: SampleSession, words: str, back: int) -> None:
    book.user(words).hook("UserPromptSubmit", "lint").assistant(f"ok {words}")


def _note(book: SampleSession, words: str, back: int) -> None:
    book.stop_hooks("lint").attachment("date_change")


def _rewind(book: SampleSession, words: str, back: int) -> None:
    book.at(book.nodes[back % len(book.nodes)]).user(words).assistant(f"elsewhere {words}")


def _retry(book: SampleSession, words: str, back: int) -> None:
    book.user(words).name_step(words).assistant(f"once {words}")
    book.at(words).assistant(f"twice {words}")


def _interrupt(book: SampleSession, words: str, back: int) -> None:
    book.user(words).assistant(f"part of {words}").interrupt()


def _compact(book: SampleSession, words: str, back: int) -> None:
    book.compact(f"SUM {words}", keep=back % 3)


def _command(book: SampleSession, words: str, back: int) -> None:
    book.command(f"/cmd{back}")


def _title(book: SampleSession, words: str, back: int) -> None:
    book.title(words).last_prompt(words).blank()


def _queued(book: SampleSession, words: str, back: int) -> None:
    book.queued(words).assistant(f"then {words}")


def _late_prompt(book: SampleSession, words: str, back: int) -> None:
    start = book.cursor
    book.assistant(f"first {words}").at(start).hook("Stop", "late")
    book.user(words).assistant(f"second {words}")


def _agent(book: SampleSession, words: str, back: int) -> None:
    book.user(words).agent("Explore", words).assistant(f"found {words}")


STEPS: tuple[Callable[[SampleSession, str, int], None], ...] = (
    _turn, _tools, _parallel, _thinking, _hook, _note, _rewind, _retry, _interrupt, _compact,
    _command, _title, _queued, _late_prompt, _agent,
)  # fmt: skip


@st.composite
def conversations(draw: DrawFn) -> SampleSession:
    """Draw a session that one client wrote."""
    book = session("law", version=draw(st.sampled_from(VERSIONS)))
    book.user("start").assistant("begun").user("and").assistant("so on")
    steps = draw(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 99)), max_size=12))
    for number, (step, back) in enumerate(steps):
        step(book, f"{step.__name__} {number}", back)
    return book
