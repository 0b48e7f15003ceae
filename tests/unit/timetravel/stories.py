"""Made-up conversations of any shape, for laws that must hold for all of them."""

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from bough.sample import SampleSession, session
from tests.unit.timetravel.making import parallel

VERSIONS = ("1.0.80", "1.0.128", "2.0.14", "2.0.76", "2.1.50", "2.1.79", "2.1.118", "2.1.325")


def _turn(builder: SampleSession, words: str, back: int) -> None:
    builder.user(words).assistant(f"answer to {words}")


def _tools(builder: SampleSession, words: str, back: int) -> None:
    builder.user(words).tool("Bash", {"command": words}, "out").assistant(f"did {words}")


def _parallel(builder: SampleSession, words: str, back: int) -> None:
    calls = parallel(f"{words} a", f"{words} b", f"{words} c")
    order = [(back + at) % 3 for at in range(3)]
    builder.user(words).tools(*calls, order=order).assistant(f"did {words}")


def _thinking(builder: SampleSession, words: str, back: int) -> None:
    builder.user(words).thinking("hm").assistant(f"thought of {words}").turn_duration()


def _hook(builder: SampleSession, words: str, back: int) -> None:
    builder.user(words).hook("UserPromptSubmit", "lint").assistant(f"ok {words}")


def _note(builder: SampleSession, words: str, back: int) -> None:
    builder.stop_hooks("lint").attachment("date_change")


def _rewind(builder: SampleSession, words: str, back: int) -> None:
    builder.at(builder.nodes[back % len(builder.nodes)]).user(words).assistant(f"elsewhere {words}")


def _retry(builder: SampleSession, words: str, back: int) -> None:
    builder.user(words).name_step(words).assistant(f"once {words}")
    builder.at(words).assistant(f"twice {words}")


def _interrupt(builder: SampleSession, words: str, back: int) -> None:
    builder.user(words).assistant(f"part of {words}").interrupt()


def _compact(builder: SampleSession, words: str, back: int) -> None:
    builder.compact(f"SUM {words}", keep=back % 3)


def _command(builder: SampleSession, words: str, back: int) -> None:
    builder.command(f"/cmd{back}")


def _title(builder: SampleSession, words: str, back: int) -> None:
    builder.title(words).last_prompt(words).blank()


def _queued(builder: SampleSession, words: str, back: int) -> None:
    builder.queued(words).assistant(f"then {words}")


def _late_prompt(builder: SampleSession, words: str, back: int) -> None:
    start = builder.cursor
    builder.assistant(f"first {words}").at(start).hook("Stop", "late")
    builder.user(words).assistant(f"second {words}")


def _agent(builder: SampleSession, words: str, back: int) -> None:
    builder.user(words).agent("Explore", words).assistant(f"found {words}")


STEPS: tuple[Callable[[SampleSession, str, int], None], ...] = (
    _turn, _tools, _parallel, _thinking, _hook, _note, _rewind, _retry, _interrupt, _compact,
    _command, _title, _queued, _late_prompt, _agent,
)  # fmt: skip


@st.composite
def conversations(draw: DrawFn) -> SampleSession:
    """Draw a session that one client wrote."""
    builder = session("law", version=draw(st.sampled_from(VERSIONS)))
    builder.user("start").assistant("begun").user("and").assistant("so on")
    steps = draw(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 99)), max_size=12))
    for number, (step, back) in enumerate(steps):
        step(builder, f"{step.__name__} {number}", back)
    return builder
