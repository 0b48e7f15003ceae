"""Pull requests: each once, in the order they came, and as people name them."""

from bough.model.interpret.pull_requests import (
    PullRequest,
    abbreviate_pull_requests,
    describe_pull_requests,
    format_pull_requests,
)
from bough.sample import session
from tests.unit.model.opened import opened


def test_pull_requests_of_a_session_are_listed_once_in_the_order_they_came() -> None:
    builder = session("pulls").user("Open it").assistant("Done")
    built = builder.pr_link(398).pr_link(401).pr_link(398)

    found = opened(built).pull_requests

    assert [one.label for one in found] == ["orchard/orchard-shop#398", "orchard/orchard-shop#401"]


def test_one_number_of_two_repositories_is_two_pull_requests() -> None:
    built = session("pulls").user("Open it").pr_link(7).pr_link(7, "orchard/docs")

    assert len(opened(built).pull_requests) == 2


def test_a_repository_is_named_once_in_a_row() -> None:
    found = [PullRequest(1, "a/b"), PullRequest(2, "a/b"), PullRequest(3, "c/d"), PullRequest(4)]

    assert format_pull_requests(found) == "a/b#1, #2, c/d#3, #4"


def test_a_session_without_pull_requests_says_nothing_of_them() -> None:
    assert describe_pull_requests([]) == ""
    assert describe_pull_requests([PullRequest(1, "a/b")]) == "pull request a/b#1"


def test_a_row_of_a_list_has_room_for_numbers_alone() -> None:
    assert abbreviate_pull_requests([PullRequest(1, "a/b"), PullRequest(2)]) == "PR #1, #2"
    assert abbreviate_pull_requests([]) == ""
