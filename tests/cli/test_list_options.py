"""What lists take: which sessions, in which order, how many, from where on, in which form."""

from pathlib import Path

import msgspec
import pytest

from tests.cli.screens import objects, on_screen, piped


def titles(*words: str, claude: Path) -> list[str]:
    return piped("sessions", "--format", "{title}", *words, claude=claude).stdout.splitlines()


def test_since_keeps_what_went_on_then_or_later(demo: Path) -> None:
    rows = objects("sessions", "--since", "2026-11-14", claude=demo)

    assert rows
    assert all(str(row["ended_at"]) >= "2026-11-14" for row in rows)
    assert len(rows) < len(objects("sessions", claude=demo))


def test_until_keeps_what_began_up_to_the_end_of_that_day(demo: Path) -> None:
    rows = objects("sessions", "--until", "2026-11-13", claude=demo)
    everything = objects("sessions", claude=demo)

    assert [row["id"] for row in rows] == [
        row["id"] for row in everything if str(row["started_at"]) < "2026-11-14"
    ]


def test_a_day_alone_has_the_sessions_of_that_day(demo: Path) -> None:
    both = titles("--since", "2026-11-14", "--until", "2026-11-14", claude=demo)

    assert "The orders page takes nine seconds" in both
    assert "Make the CSV import resumable" not in both


def test_a_model_is_named_by_a_part_of_its_name(demo: Path) -> None:
    rows = objects("sessions", "--model", "OPUS", claude=demo)

    assert rows
    assert all(any("opus" in name for name in _names(row)) for row in rows)


def _names(row: dict[str, object]) -> list[str]:
    return msgspec.convert(row["models"], list[str])


def test_a_branch_is_named_whole_or_with_a_star(demo: Path) -> None:
    everything = objects("sessions", claude=demo)
    some = next(str(row["git_branch"]) for row in everything if row["git_branch"] != "main")

    whole = objects("sessions", "--branch", some, claude=demo)
    begun = objects("sessions", "--branch", f"{some[:3]}*", claude=demo)

    assert whole
    assert {row["git_branch"] for row in whole} == {some}
    assert len(begun) >= len(whole)
    assert piped("sessions", "--branch", some[:3], claude=demo).stdout == ""


def test_states_are_those_of_status(demo: Path) -> None:
    running = objects("status", claude=demo)
    state = str(running[0]["state"])

    rows = objects("sessions", "--state", state, claude=demo)

    ids = {row["id"] for row in running if row["state"] == state}
    assert ids <= {row["id"] for row in rows}
    assert not {row["id"] for row in running if row["state"] != state} & {row["id"] for row in rows}


def test_several_states_are_given_with_commas_or_one_by_one(demo: Path) -> None:
    both = objects("sessions", "--state", "interrupted,finished", claude=demo)
    apart = objects("sessions", "--state", "interrupted", "--state", "finished", claude=demo)
    finished = objects("sessions", "--state", "finished", claude=demo)

    assert both == apart
    assert len(both) > len(finished) > 0


def test_no_state_of_that_name_is_misuse_and_lists_them(demo: Path) -> None:
    done = piped("sessions", "--state", "asleep", claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("No state is called asleep. There are background, ")


def test_sort_puts_the_costliest_first(demo: Path) -> None:
    costs = [row["cost_usd"] or 0 for row in objects("sessions", "--sort", "cost", claude=demo)]

    assert costs == sorted(msgspec.convert(costs, list[float]), reverse=True)


def test_oldest_is_newest_turned_round(demo: Path) -> None:
    newest = [row["ended_at"] for row in objects("sessions", claude=demo)]
    oldest = [row["ended_at"] for row in objects("sessions", "--sort", "oldest", claude=demo)]

    assert oldest == newest[::-1]


@pytest.mark.parametrize(
    "words", [("sessions",), ("projects",), ("conversations",), ("sessions", "--sort", "title")]
)
def test_the_pages_of_a_list_together_are_the_list(demo: Path, words: tuple[str, ...]) -> None:
    pages: list[object] = []
    page: dict[str, object] = {}
    more: tuple[str, ...] = ()
    for _ in range(30):
        done = piped(*words, "--limit", "7", "--json", *more, claude=demo)
        page = msgspec.json.decode(done.stdout, type=dict[str, object])
        pages += msgspec.convert(page["rows"], list[object])
        if page["next"] is None:
            break
        assert done.stderr.endswith(f"Next: --after-cursor {page['next']}\n")
        more = ("--after-cursor", str(page["next"]))

    assert pages == objects(*words, claude=demo)
    assert page["total"] == len(pages)


def test_a_cursor_of_another_list_is_refused(demo: Path) -> None:
    next_page = str(
        msgspec.json.decode(
            piped("sessions", "--limit", "2", "--json", claude=demo).stdout,
            type=dict[str, object],
        )["next"]
    )

    done = piped("sessions", "--sort", "cost", "--after-cursor", next_page, claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert "another list" in done.stderr


def test_a_whole_list_says_nothing_of_pages(demo: Path) -> None:
    done = piped("sessions", "--limit", "1000", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")


def test_format_writes_a_line_for_each_row(demo: Path) -> None:
    done = piped("sessions", "--format", r"{id}\t{{{title}}}\t{models}\t{deleted_at}", claude=demo)
    rows = objects("sessions", claude=demo)

    assert done.stdout.splitlines() == [
        f"{row['id']}\t{{{row['title']}}}\t{','.join(_names(row))}\t" for row in rows
    ]


@pytest.mark.parametrize("command", ["sessions", "projects", "conversations", "history"])
def test_a_field_that_no_row_has_is_misuse_and_lists_those_there_are(
    demo: Path, command: str
) -> None:
    done = piped(command, "--format", "{titel}", claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("No field is called titel. There are ")


@pytest.mark.parametrize("template", ["{", "}", "{id", "id}"])
def test_a_brace_alone_is_misuse(demo: Path, template: str) -> None:
    done = piped("sessions", "--format", template, claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--format has a ")


def test_two_forms_at_once_are_misuse(demo: Path) -> None:
    done = piped("sessions", "--format", "{id}", "--json", claude=demo)

    assert (done.returncode, done.stderr) == (2, "Give --json or --format, not both.\n")


def test_a_filter_that_nothing_fits_is_nothing_found(demo: Path) -> None:
    done = piped("sessions", "--model", "no-such-model", claude=demo)

    assert (done.returncode, done.stdout) == (1, "")
    total = len(objects("sessions", claude=demo))
    assert done.stderr == f"No session matches. There are {total} in all.\n"


def test_a_hit_of_a_search_has_its_title_and_path(demo: Path) -> None:
    done = piped("search", "checkpoint", "--limit", "1000", "--json", claude=demo)

    hits = msgspec.json.decode(done.stdout)["hits"]
    assert hits
    assert all(hit["title"] and Path(str(hit["path"])).is_file() for hit in hits)


def test_pages_of_matches_together_are_all_of_them(demo: Path) -> None:
    everything = objects("find", "job table", claude=demo)
    pages: list[object] = []
    cursor: tuple[str, ...] = ()
    while True:
        done = piped("find", "job table", "--limit", "2", "--json", *cursor, claude=demo)
        page = msgspec.json.decode(done.stdout, type=dict[str, object])
        pages += msgspec.convert(page["rows"], list[object])
        assert page["total"] == len(everything)
        if page["next"] is None:
            break
        assert f"Next: --after-cursor {page['next']}" in done.stderr
        cursor = ("--after-cursor", str(page["next"]))

    assert len(everything) > 2
    assert pages == everything


def test_matches_are_written_in_a_form_of_ones_own(demo: Path) -> None:
    lines = piped("find", "job table", "3f9c", "--format", "{kind} {active}", claude=demo)

    assert lines.stdout == "prompt false\nanswer false\nsummary true\n"


def test_pages_of_a_report_together_are_all_of_it(demo: Path) -> None:
    everything = msgspec.json.decode(piped("stats", "tools", "--json", claude=demo).stdout)
    first = msgspec.json.decode(
        piped("stats", "tools", "--limit", "4", "--json", claude=demo).stdout
    )
    rest = msgspec.json.decode(
        piped("stats", "tools", "--after-cursor", first["next"], "--json", claude=demo).stdout
    )

    assert (first["total"], rest["next"]) == (len(everything["rows"]), None)
    assert [*first["rows"], *rest["rows"]] == everything["rows"]
    assert first["totals"] == everything["totals"]


def test_sessions_say_where_they_stand(demo: Path) -> None:
    _, shown = on_screen("sessions", "--color", "never", claude=demo, columns=160)
    head, *lines = shown.splitlines()
    waiting = set(
        piped("sessions", "--state", "waiting", "--format", "{id}", claude=demo).stdout.split()
    )

    assert head.split()[:2] == ["ID", "STATE"]
    assert {line[:8] for line in lines if "■ waits" in line} == {one[:8] for one in waiting}
    assert all(any(sign in line[10:14] for sign in "■✓✗●○-┊") for line in lines)
    assert "STATE" not in piped("sessions", claude=demo).stdout
