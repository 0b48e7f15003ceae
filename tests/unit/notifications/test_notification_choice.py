"""What is told of live sessions, and when: with a clock that the test sets."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import msgspec
import pytest

from bough.errors import Misuse
from bough.model.live.status import SessionState
from bough.notifications.notification_choice import (
    LONGEST,
    NotificationChooser,
    NotificationKind,
    notification_document,
    parse_notification_kinds,
    parse_quiet_hours,
)
from bough.query.live.events import SessionEventKind, StreamEvent

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def state(
    name: str,
    session: str = "aaaa0000-1",
    text: str = "",
    project: str = "shop",
    *,
    sure: bool = True,
) -> StreamEvent:
    return StreamEvent(
        kind=SessionEventKind.STATE,
        session=session,
        project=f"-home-dev-{project}",
        uuid=None,
        time=None,
        text=text,
        name=project,
        state=SessionState(name),
        sure=sure,
    )


def title(text: str, session: str = "aaaa0000-1") -> StreamEvent:
    return StreamEvent(
        kind=SessionEventKind.TITLE,
        session=session,
        project="-home-dev-shop",
        uuid=None,
        time=None,
        text=text,
    )


def chooser(*kinds: str, quiet: str | None = None) -> NotificationChooser:
    hours = parse_quiet_hours(quiet) if quiet else None
    return NotificationChooser(parse_notification_kinds(kinds), hours)


def lines(found: NotificationChooser, *events: StreamEvent, at: float = 0) -> list[str]:
    return [one.line for one in found.choose(events, NOON + timedelta(seconds=at))]


def test_a_question_is_told_with_the_project_and_the_title() -> None:
    found = chooser()

    told = lines(
        found, title("Make it resumable"), state("waiting", text="waits for you: run a: b?")
    )

    assert told == ["shop waits for you: run a: b? (Make it resumable)"]


def test_waiting_finished_and_failed_are_kinds_and_work_is_none() -> None:
    found = chooser()
    names = ("working", "waiting", "working", "finished", "failed", "interrupted")

    kinds = [one.kind for name in names for one in found.choose([state(name)], NOON)]

    assert kinds == [NotificationKind.WAITING, NotificationKind.FINISHED, NotificationKind.FAILED]


def test_only_the_kinds_that_were_asked_for_are_told() -> None:
    found = chooser("waiting, error")

    assert lines(found, state("finished"), state("failed", text="failed: overloaded")) == [
        "shop failed: overloaded (Session aaaa0000)"
    ]


def test_a_state_is_told_once_until_the_session_stands_otherwise() -> None:
    found = chooser()

    assert len(lines(found, state("waiting", sure=False), state("waiting"))) == 1
    assert lines(found, state("waiting")) == []
    assert len(lines(found, state("working"), state("waiting"))) == 1


def test_what_is_not_sure_says_so() -> None:
    assert lines(chooser(), state("waiting", sure=False))[0].startswith(
        "shop probably waits for you"
    )


def test_the_past_is_not_told_but_known() -> None:
    found = chooser()
    found.note_past([title("Old title"), state("waiting")])

    assert lines(found, state("waiting")) == []
    assert lines(found, state("finished")) == ["shop finished: Old title"]


def test_after_five_within_ten_seconds_the_rest_is_told_as_one() -> None:
    found = chooser()

    told = [lines(found, state("waiting", f"{n}"), at=n / 2) for n in range(6)]

    assert [len(one) for one in told] == [1, 1, 1, 1, 1, 0]
    assert lines(found, at=9.9) == []
    assert lines(found, at=10) == ["6 sessions wait"]
    assert lines(found, at=30) == []


def test_five_within_ten_seconds_are_told_alone_and_need_no_summary() -> None:
    found = chooser()

    assert len(lines(found, *(state("finished", f"{n}") for n in range(5)))) == 5
    assert lines(found, at=10) == []


def test_a_summary_counts_kinds_and_stands_for_no_session() -> None:
    found = chooser()
    lines(found, *(state("finished", f"{n}") for n in range(6)), state("waiting", "6"))

    (one,) = found.choose([], NOON + timedelta(seconds=10))

    assert one.line == "1 session waits, 6 finished"
    assert (one.kind, one.sessions, one.event.session) == (NotificationKind.WAITING, 7, "")


def test_a_session_that_was_answered_meanwhile_is_not_counted() -> None:
    found = chooser()
    lines(found, *(state("waiting", f"{n}") for n in range(7)))
    lines(found, state("working", "0"), state("working", "6"), at=5)

    assert lines(found, at=10) == ["5 sessions wait"]


def test_where_all_that_was_held_is_answered_nothing_is_told() -> None:
    found = chooser()
    lines(found, *(state("waiting", f"{n}") for n in range(6)))
    lines(found, state("working", "5"), at=5)

    assert lines(found, at=10) == []


def test_a_clock_that_is_set_back_holds_nothing_for_hours() -> None:
    found = chooser()
    lines(found, *(state("waiting", f"{n}") for n in range(6)))

    assert lines(found, at=-3600) == ["6 sessions wait"]


@pytest.mark.parametrize(
    ("hours", "at", "is_quiet"),
    [
        ("22:00-08:00", "21:59", False),
        ("22:00-08:00", "22:00", True),
        ("22:00-08:00", "03:00", True),
        ("22:00-08:00", "08:00", False),
        ("12:30-13:30", "13:00", True),
        ("12:30-13:30", "14:00", False),
    ],
)
def test_in_quiet_hours_nothing_is_told_and_later_neither(
    hours: str, at: str, is_quiet: bool
) -> None:
    found = chooser(quiet=hours)
    now = datetime.fromisoformat(f"2026-03-01T{at}:00+00:00")

    assert bool(found.choose([state("waiting")], now)) is not is_quiet
    assert found.choose([state("waiting")], now + timedelta(hours=12)) == []


@pytest.mark.parametrize("text", ["", "22-8", "25:00-08:00", "08:00-08:00", "22:00", "a:b-c:d"])
def test_hours_that_are_none_are_a_misuse(text: str) -> None:
    with pytest.raises(Misuse, match="--quiet takes hours such as 22:00-08:00"):
        parse_quiet_hours(text)


def test_a_kind_that_is_none_is_a_misuse() -> None:
    with pytest.raises(Misuse, match="--on takes no lunch"):
        parse_notification_kinds(["waiting,lunch"])


def test_words_are_cleaned_of_what_acts_unseen() -> None:
    hostile = "run \x1b[31mrm\x07 \u202ethgir\u2066 \x1b]0;x\x07\x9b1m\r\na\ud800\u200f\U000e0041?"

    (told,) = lines(
        chooser(), state("waiting", text=f"waits for you: {hostile}", project="a\u202eb")
    )

    assert told.startswith("ab waits for you: run rm thgir ]0;x a ?")
    assert told.isprintable()


def test_a_name_that_is_no_text_can_be_written_as_json() -> None:
    (one,) = chooser().choose([state("finished", "a\udcff", project="\udcfeb")], NOON)

    found = msgspec.json.decode(msgspec.json.encode(notification_document(one)))

    assert (found["session"], found["project"], found["heading"]) == (
        "a?",
        "-home-dev-?b",
        "b finished",
    )


def test_a_notification_is_short_with_its_heading() -> None:
    (told,) = lines(
        chooser(), state("waiting", text="waits for you: " + "x " * 900, project="p" * 300)
    )

    assert len(told) == LONGEST or len(told) == LONGEST - 1
    assert told.endswith("…")


def test_secrets_are_hidden_also_where_the_cut_falls_into_one() -> None:
    token = "ghp_" + "".join(chr(97 + (7 * n) % 26) + str(n % 10) for n in range(18))
    for length in (20, 130, 150):
        for written in (token, "\u200b".join(token), "\u00ad".join(token)):
            asked = "waits for you: " + "x" * length + f" {written}"
            (told,) = lines(chooser(), state("waiting", text=asked))
            assert "ghp" not in told


def test_many_sessions_over_time_are_told_at_most_so_often() -> None:
    found = chooser()
    times = [
        at
        for at in range(100)
        for _ in found.choose([state("waiting", f"{at}")], NOON + timedelta(seconds=at))
    ]

    assert len(times) <= 6 * 10
    assert all(later - early <= 6 for early, later in pairwise(times))


def budget(text: str, session: str = "aaaa0000-1", project: str = "shop") -> StreamEvent:
    return StreamEvent(
        kind=SessionEventKind.BUDGET,
        session=session,
        project=f"-home-dev-{project}" if session else "",
        uuid=None,
        time=None,
        text=text,
        name=project if session else "",
    )


def test_a_budget_that_is_used_up_is_told_whatever_the_session_does() -> None:
    found = chooser()

    told = lines(
        found, title("Make it resumable"), state("waiting"), budget("over budget: $6 of $5")
    )
    told += lines(found, budget("the day is over budget: $41 of $40", session=""))

    assert told == [
        "shop waits for you: Make it resumable",
        "shop is over budget: $6 of $5 (Make it resumable)",
        "The day is over budget: $41 of $40",
    ]
    assert lines(found, state("working"), state("waiting"), at=20) == [
        "shop waits for you: Make it resumable"
    ]


def test_who_does_not_ask_for_budgets_hears_of_none() -> None:
    assert lines(chooser("waiting"), budget("over budget: $6 of $5")) == []
    assert lines(chooser("budget"), state("waiting"), budget("over budget: $6 of $5")) == [
        "shop is over budget: $6 of $5 (Session aaaa0000)"
    ]


def test_many_budgets_are_told_as_one() -> None:
    found = chooser()
    lines(found, *(budget("over budget: $6 of $5", f"s{number}") for number in range(7)))
    (summary,) = found.choose([], NOON + timedelta(seconds=10))

    assert summary.line == "7 sessions over budget"
    assert (summary.event.kind, summary.event.state, summary.sessions) == ("budget", None, 7)
