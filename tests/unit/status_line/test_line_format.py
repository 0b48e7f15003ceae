"""The line: its parts in their order, and what goes first where there is little room."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.status_line.client_status import ClientStatus
from bough.status_line.line_format import (
    FIELDS,
    LineParts,
    cut_to_width,
    find_git_branch,
    measure_width,
    write_line,
)
from bough.status_line.number_cache import StatusNumbers

NOW = 1_794_830_000.0
CLIENT = ClientStatus(
    {
        "session_id": "one",
        "version": "2.1.325",
        "workspace": {"project_dir": "/home/dev/orchard-shop"},
        "worktree": {"branch": "resume-import"},
        "model": {"id": "claude-opus-5-5"},
        "context_window": {"used_percentage": 44},
        "cost": {"total_cost_usd": 6.19},
        "rate_limits": {
            "five_hour": {"used_percentage": 38.2, "resets_at": NOW + 3_600},
            "seven_day": {"used_percentage": 12, "resets_at": NOW + 86_400},
        },
    }
)


def numbers(age: float = 0.0, *, more: dict[str, object] | None = None) -> StatusNumbers:
    document = {
        "at": NOW - age,
        "day": 14.13,
        "day_ends": NOW + 7_200,
        "block": 3.1,
        "block_ends": NOW + 1_800,
        "zone_offset": 0,
        "waiting": ["one", "two"],
        "waits": 2,
    }
    return StatusNumbers({**document, **(more or {})}, NOW)


def line(client: ClientStatus = CLIENT, cached: StatusNumbers | None = None, **how: object) -> str:
    width, template = how.get("width"), how.get("template")
    return write_line(
        LineParts(client, cached, NOW),
        width=width if isinstance(width, int) else None,
        template=template if isinstance(template, str) else None,
        color=bool(how.get("color")),
    )


def test_the_whole_line() -> None:
    assert line(cached=numbers()) == (
        "orchard-shop ⎇ resume-import · opus-5-5 · 44% ctx · "
        "$6.19 (day $14.13, 5 h 38% → 12:53) · ■ 1 waits elsewhere"
    )


def test_numbers_that_are_older_than_a_minute_say_so() -> None:
    assert line(cached=numbers(200)).endswith("■ 1 waits elsewhere · as of 3 min ago")


def test_numbers_that_are_older_than_ten_minutes_are_left_out() -> None:
    assert line(cached=numbers(601)) == line()


def test_the_cost_of_a_day_that_is_over_is_left_out() -> None:
    assert "day" not in line(cached=numbers(more={"day_ends": NOW}))


def test_a_limit_whose_time_is_over_is_left_out_and_the_block_stands_there() -> None:
    client = ClientStatus(
        {"rate_limits": {"five_hour": {"used_percentage": 90, "resets_at": NOW - 1}}}
    )

    assert line(client, numbers()) == "day $14.13, block $3.10 → 12:23 · ■ 2 wait"


def test_a_week_is_named_when_little_of_it_is_left() -> None:
    limits = {"seven_day": {"used_percentage": 91, "resets_at": NOW + 60}}

    assert line(ClientStatus({"rate_limits": limits})) == "7 d 91%"


def test_hours_are_counted_as_the_person_counts_them() -> None:
    assert "→ 2:53 PM" in line(cached=numbers(more={"twelve_hours": True, "zone_offset": 7_200}))


def test_without_anything_to_say_there_is_a_word() -> None:
    assert line(ClientStatus()) == "bough"
    assert line(ClientStatus(), template="{project}") == "bough"


@pytest.mark.parametrize("percent", [44, 75, 95])
def test_colours_are_added_to_the_same_words(percent: int) -> None:
    client = ClientStatus({"context_window": {"used_percentage": percent}})
    painted = line(client, numbers(), color=True)
    for code in ("0", "1", "2", "31", "33"):
        painted = painted.replace(f"\x1b[{code}m", "")

    assert painted == line(client, numbers())


def test_a_format_has_every_field_and_keeps_what_it_does_not_know() -> None:
    template = " ".join(f"{{{name}}}" for name in FIELDS)
    shown = line(cached=numbers(), template=f"{{{{x}}}} {{nonsense}} {template}")

    assert shown.startswith("{x} {nonsense} orchard-shop resume-import opus-5-5 44% ctx $6.19")
    assert shown.endswith("5 h 38% → 12:53 7 d 12% 1 waits elsewhere one 2.1.325")


def test_a_format_stays_on_one_line() -> None:
    assert line(template="{project}\n\x1b[31m{cost}\\t!") == "orchard-shop $6.19 !"


@given(st.integers(min_value=1, max_value=200))
def test_a_line_is_never_wider_than_it_may_be(width: int) -> None:
    assert measure_width(line(cached=numbers(200), width=width)) <= width


def test_who_waits_is_shown_longer_than_the_rest() -> None:
    assert line(cached=numbers(), width=40) == "orchard-shop · ■ 1 waits elsewhere"


def test_wide_letters_take_two_columns() -> None:
    assert cut_to_width("果樹園の店", 6) == "果樹…"


def test_the_branch_is_read_from_the_one_file_that_says_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/fix/\x1b[31mimport\n")
    (tmp_path / "a" / "b").mkdir(parents=True)

    assert find_git_branch(str(tmp_path / "a" / "b")) == "fix/import"


def test_the_branch_of_a_worktree_is_found_through_its_link(tmp_path: Path) -> None:
    (tmp_path / "main" / ".git" / "worktrees" / "w").mkdir(parents=True)
    (tmp_path / "main" / ".git" / "worktrees" / "w" / "HEAD").write_text("ref: refs/heads/w\n")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text("gitdir: ../main/.git/worktrees/w\n")

    assert find_git_branch(str(tmp_path / "w")) == "w"


def test_without_a_branch_the_commit_is_named(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("0123456789abcdef0123456789abcdef01234567\n")

    assert find_git_branch(str(tmp_path)) == "01234567"
    assert find_git_branch("relative") == ""
    assert find_git_branch("/nul\0") == ""


def test_budgets_that_are_used_up_are_marked_as_long_as_the_numbers_are_shown() -> None:
    used: dict[str, object] = {"day_budget": 14, "session_budget": 5.0, "over": {"one": 6.2}}

    assert line(cached=numbers(more=used)).endswith(
        " · ▲ session over $5.00, day over $14.00 · ■ 1 waits elsewhere"
    )
    assert (
        line(cached=numbers(more=used), template="{budget}")
        == "session over $5.00, day over $14.00"
    )
    assert line(cached=numbers(more={**used, "over": {"two": 6.2}, "day_budget": 15})) == line(
        cached=numbers()
    )
    assert "▲" not in line(cached=numbers(601, more=used))
