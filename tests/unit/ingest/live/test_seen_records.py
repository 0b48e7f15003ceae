"""Which records were reported lately, whatever file they came from."""

from bough.files.lines import split_lines
from bough.ingest.live.seen_records import SeenRecords
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record
from bough.sample import session


def test_a_copy_in_another_file_is_not_fresh() -> None:
    items = list(decode_lines(split_lines([session("s").user("x").assistant("y").bytes()])))
    shown = SeenRecords()

    assert shown.fresh(items) == tuple(items)
    assert shown.fresh(items) == ()


def test_a_queued_prompt_is_known_by_its_time_and_words() -> None:
    items = list(decode_lines(split_lines([session("s").queue("enqueue", "Go").bytes()])))
    shown = SeenRecords()

    assert len(shown.fresh(items)) == 1
    assert shown.fresh(items) == ()


def test_what_has_no_name_is_always_fresh() -> None:
    bad = BadLine(0, 1, b"{\n", "broken")
    shown = SeenRecords()

    assert shown.fresh([bad]) == shown.fresh([bad]) == (bad,)


def test_only_the_newest_are_remembered() -> None:
    shown = SeenRecords()
    (item,) = decode_lines(split_lines([session("s").user("x").bytes()]))
    assert isinstance(item, Record)

    for number in range(50_000):
        item.uuid = str(number)
        shown.fresh([item])

    assert len(shown._now) + len(shown._before) <= 4_000
