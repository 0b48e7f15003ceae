from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.across_files import (
    FileUsage,
    ReportedUsage,
    UsageEntry,
    count_once,
    flatten_snapshot,
    keep_best_lines,
    split_by_call,
    why_not_counted,
)
from bough.model.usage.tokens import Tokens, UsageSnapshot, count_calls_once

MAIN, SIDE, COPY = 2, 1, 0
NINE = "2026-11-15T09:00:00.000Z"
TEN = "2026-11-15T10:00:00.000Z"


def line(
    message: str | None = "m",
    request: str | None = "r",
    *,
    out: int = 1,
    rank: int = MAIN,
    at: str | None = NINE,
    speed: str | None = None,
    offset: int = 0,
) -> ReportedUsage:
    return ReportedUsage(
        offset, message, request, "claude-opus-4-6", at, output_tokens=out, speed=speed, rank=rank
    )


def book(
    path: str, *lines: ReportedUsage, deleted: bool = False, forked: bool = False
) -> FileUsage:
    return FileUsage(path, "-home", path, lines, deleted=deleted, forked=forked)


def winners(*books: FileUsage) -> list[tuple[str, int]]:
    return sorted((builder.path, line.output_tokens) for builder, line in count_once(books))


class TestWhichLineCounts:
    def test_the_largest_line_of_a_call(self) -> None:
        assert winners(book("a", line(out=3), line(out=50), line(out=8))) == [("a", 50)]

    def test_one_line_of_all_files(self) -> None:
        assert winners(book("a", line(out=3)), book("b", line(out=9))) == [("b", 9)]

    def test_the_main_conversation_before_a_larger_sidechain(self) -> None:
        assert winners(book("a", line(out=3)), book("b", line(out=9, rank=SIDE))) == [("a", 3)]

    def test_the_larger_of_an_agents_line_and_its_copy_at_the_place_of_the_agents(self) -> None:
        larger, smaller = line(out=9, rank=COPY), line(out=2, rank=COPY)
        own = book("b", line(out=3, rank=SIDE, offset=7))

        assert winners(book("a", larger), own) == [("b", 9)]
        assert winners(book("a", smaller), own) == [("b", 3)]
        ((_, counted),) = count_once([book("a", larger), own])
        assert (counted.offset, counted.rank) == (7, SIDE)

    def test_a_copy_in_a_living_file_where_the_agents_own_is_deleted(self) -> None:
        own = book("b", line(out=3, rank=SIDE), deleted=True)

        assert winners(book("a", line(out=9, rank=COPY)), own) == [("a", 9)]

    def test_a_copy_counts_where_nothing_else_is_left(self) -> None:
        assert winners(book("a", line(out=9, rank=COPY))) == [("a", 9)]

    def test_a_line_that_knows_its_speed_before_one_that_does_not(self) -> None:
        known = book("b", line(speed="fast", at=TEN))

        assert [found.speed for _, found in count_once([book("a", line()), known])] == ["fast"]

    def test_the_earliest_of_equal_lines(self) -> None:
        assert winners(book("a", line(at=TEN)), book("b", line(at=NINE))) == [("b", 1)]

    def test_a_line_with_a_time_before_one_without(self) -> None:
        assert winners(book("a", line(at=None)), book("b", line(at=TEN))) == [("b", 1)]

    def test_the_origin_before_a_fork_that_kept_the_times(self) -> None:
        assert winners(book("a", line(), forked=True), book("b", line())) == [("b", 1)]

    def test_a_living_file_before_a_deleted_one(self) -> None:
        deleted = book("a", line(out=9), deleted=True)

        assert winners(deleted, book("b", line(out=3, rank=SIDE))) == [("b", 3)]

    def test_what_only_a_deleted_file_has_still_counts(self) -> None:
        deleted = book("a", line(out=9), deleted=True)

        assert winners(deleted, book("b", line("other", out=3))) == [("a", 9), ("b", 3)]

    @pytest.mark.parametrize(
        ("winner", "loser", "reason"),
        [
            (book("a", line()), book("b", line(), deleted=True), "its file is deleted"),
            (book("a", line()), book("b", line(rank=SIDE)), "a sidechain's copy"),
            (book("a", line()), book("b", line(rank=COPY)), "a copy in a progress record"),
            (
                book("a", line(rank=SIDE)),
                book("b", line(rank=COPY)),
                "a copy in a progress record",
            ),
            (book("a", line(out=2, rank=COPY)), book("b", line(rank=SIDE)), "smaller"),
            (book("a", line(out=2)), book("b", line()), "smaller"),
            (book("a", line(speed="fast")), book("b", line()), "does not tell the speed"),
            (book("a", line()), book("b", line(at=TEN)), "the same, later"),
        ],
    )
    def test_why_the_others_do_not(self, winner: FileUsage, loser: FileUsage, reason: str) -> None:
        (call,) = split_by_call([(loser, loser.lines[0]), (winner, winner.lines[0])])

        assert [entry[0].path for entry in call] == ["a", "b"]
        assert why_not_counted(call[0], call[1]) == reason


class TestWhatIsOneCall:
    def test_lines_without_a_message_are_calls_of_their_own(self) -> None:
        assert len(count_once([book("a", line(None), line(None))])) == 2

    def test_two_requests_of_the_main_conversation_are_two(self) -> None:
        assert len(count_once([book("a", line(request="r"), line(request="s"))])) == 2

    def test_a_line_without_a_request_is_the_call_of_its_message(self) -> None:
        assert winners(book("a", line(request=None, out=9), line(request="r"))) == [("a", 9)]

    def test_a_sidechains_replay_under_a_new_request_is_the_same_call(self) -> None:
        replay = line(request="s", out=9, rank=SIDE)

        assert winners(book("a", line(request="r")), book("b", replay)) == [("a", 1)]

    def test_a_line_of_no_request_joins_the_oldest_of_several(self) -> None:
        old, new = line(request="r", at=NINE), line(request="s", at=TEN, out=2)
        loose = line(request=None, at=TEN, out=9)

        assert winners(book("a", new, loose, old)) == [("a", 2), ("a", 9)]


messages = st.sampled_from([None, "m", "n"])
requests = st.sampled_from([None, "r", "s"])
moments = st.sampled_from([None, NINE, TEN])
lines = st.builds(
    ReportedUsage,
    st.integers(0, 9),
    messages,
    requests,
    st.just("claude-opus-4-6"),
    moments,
    st.integers(0, 2),
    st.integers(0, 2),
    speed=st.sampled_from([None, "fast"]),
    rank=st.integers(0, 2),
)
histories = st.lists(st.tuples(st.lists(lines, max_size=4), st.booleans()), max_size=3)


def as_books(history: list[tuple[list[ReportedUsage], bool]]) -> list[FileUsage]:
    """Books whose lines stand at places of their own."""
    return [
        book(
            f"file {number}",
            *(_at(one, place) for place, one in enumerate(found)),
            deleted=deleted,
        )
        for number, (found, deleted) in enumerate(history)
    ]


def _at(one: ReportedUsage, offset: int) -> ReportedUsage:
    return ReportedUsage(offset, *(getattr(one, name) for name in one.__struct_fields__[1:]))


def keys(entries: list[UsageEntry]) -> list[tuple[str, int]]:
    return sorted((builder.path, line.offset) for builder, line in entries)


@given(histories)
def test_the_order_of_files_does_not_matter(
    history: list[tuple[list[ReportedUsage], bool]],
) -> None:
    books = as_books(history)

    found = {tuple(keys(count_once(order))) for order in permutations(books)}

    assert len(found) == 1


@given(histories)
def test_taking_repeats_out_of_a_file_changes_nothing(
    history: list[tuple[list[ReportedUsage], bool]],
) -> None:
    books = as_books(history)
    lean = [book(b.path, *keep_best_lines(b.lines), deleted=b.deleted) for b in books]

    assert keys(count_once(lean)) == keys(count_once(books))


snapshots = st.builds(
    UsageSnapshot,
    messages,
    st.just("r"),
    st.just("claude-opus-4-6"),
    st.just(NINE),
    st.builds(Tokens, st.integers(0, 2), st.integers(0, 2)),
    st.sampled_from([None, "fast"]),
    st.integers(0, 2),
    st.none(),
    st.integers(0, 9),
)


@given(st.lists(snapshots, max_size=6))
def test_calls_are_counted_as_in_one_session(found: list[UsageSnapshot]) -> None:
    ours = count_once([book("a", *map(flatten_snapshot, found))])
    theirs = count_calls_once(found)

    assert sorted(line.total for _, line in ours) == sorted(one.tokens.total for one in theirs)
    assert len(ours) == len(theirs)


def test_times_of_any_form_are_kept_in_utc() -> None:
    there = line(at="2026-11-15T10:00:00+01:00")

    assert [found.timestamp for found in keep_best_lines([there])] == [NINE]
    assert [found.timestamp for found in keep_best_lines([line(at="soon")])] == [None]
