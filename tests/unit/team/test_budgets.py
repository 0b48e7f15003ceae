"""Budgets of a team: who keeps them, what crosses a mark, and that each is told once."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from bough import library
from bough.errors import Misuse
from bough.model.usage.price_list import apply_overrides
from bough.model.usage.sums import UsageSum
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_check import find_gaps
from bough.team.budget_evaluation import evaluate_budgets, price_days
from tests.cli.screens import run_now
from tests.team_people import People, team_of
from tests.team_server import TeamServer

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: object) -> object:
        return method


_TODAY = "to_char(now() at time zone 'UTC', 'YYYY-MM-DD')"


class Webhook:
    """An address that keeps what is posted to it, and answers as it is told."""

    def __init__(self) -> None:
        self.posted: list[dict[str, Any]] = []
        self.status = 200
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                found = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if hook.status == 200:
                    hook.posted.append(found)
                self.send_response(hook.status)
                self.end_headers()

            @override
            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    with closing(Webhook()) as hook:
        yield hook


@pytest.fixture(scope="module")
def everybody(
    team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[People]:
    """Lend a team in which Ann and Mal each sent a project of their own."""
    with team_of(team_server) as people:
        for name in ("ann", "mal"):
            people.add(name)
        people.add("chief", "admin")
        people.add("watcher", "auditor")
        place = tmp_path_factory.mktemp("people")
        for name in ("ann", "mal"):
            (place / name / "projects").mkdir(parents=True)
            people.send(name, place / name, [f"{name}s-orchard"])
        yield people


@pytest.fixture
def people(everybody: People) -> People:
    """Lend the team without budgets, where all was used today."""
    with everybody.sql() as connection:
        for table in ("budget", "budget_mark", "spend", "audit"):
            connection.execute(f"delete from {table}")
        connection.execute(f"update usage_sum set quarter = {_TODAY} || 'T00:00'")
    return everybody


def evaluate(people: People, name: str, *, everybody: bool = False) -> list[str]:
    """Be somebody whose push, or check, looks at the budgets; gives what they are told."""
    with closing(ServerConnection(people.url_of(name))) as connection:
        found = evaluate_budgets(connection, everybody=everybody)
    return [library.describe_crossed_mark(one) for one in found]


def audit(people: People) -> list[tuple[str, str, str | None]]:
    """Read what the audit has of budgets that were crossed."""
    with people.sql() as connection:
        return connection.execute(
            "select on_what, substr(what, 1, 12), owner from audit where who = 'bough_guard'"
            " order by on_what, what"
        ).fetchall()


def spent_by(people: People, owner: str | None = None) -> float:
    """Read what was kept as spent, in USD."""
    with people.sql() as connection:
        row = connection.execute(
            "select coalesce(sum(usd_micro), 0)::bigint from spend s"
            " join project p on p.id = s.project_id join machine m on m.id = p.machine_id"
            " where %(owner)s::text is null or m.owner = %(owner)s",
            {"owner": owner},
        ).fetchone()
    return int(row[0]) / 1e6 if row else 0


def test_what_is_spent_is_what_usage_says(people: People) -> None:
    evaluate(people, "ann")
    by_usage = run_now("usage", "--json", "--store", people.url_of("ann"))
    expected = json.loads(by_usage.stdout)["totals"]["cost_usd"]

    assert expected > 0
    assert spent_by(people) == spent_by(people, "ann") == pytest.approx(expected, abs=1e-6)
    evaluate(people, "chief", everybody=True)
    assert spent_by(people, "ann") == pytest.approx(expected, abs=1e-6)
    assert spent_by(people, "mal") > 0


def test_days_are_priced_apart_and_calls_without_a_price_are_counted() -> None:
    used = (1, 1_000_000, 0, 0, 0, 0, 0, None, 0, None, None)
    sums = [
        ((1, "2026-11-02"), UsageSum(0, "claude-opus-4-6", None, *used)),
        ((1, "2026-11-01"), UsageSum(0, "claude-opus-4-6", None, *used)),
        ((1, "2026-11-02"), UsageSum(0, "nobody-knows", None, *used)),
    ]

    found = price_days(sums, apply_overrides({"claude-opus-4-6": {"input": 7.0}}))

    assert {key: (one.usd_micro, one.unpriced_calls) for key, one in found.items()} == {
        (1, "2026-11-01"): (7_000_000, 0),
        (1, "2026-11-02"): (7_000_000, 1),
    }


def test_a_push_crosses_marks_once_and_members_are_told_of_their_own_alone(people: People) -> None:
    chief = people.url_of("chief")
    library.set_team_budget(chief, "0.000001/month")
    library.set_team_budget(chief, "0.000001/day", member="ann", warn_at="1")
    library.set_team_budget(chief, "0.000001/week", project="anns-orchard", warn_at="1")
    library.set_team_budget(chief, "900000/month", member="mal")

    first, second = evaluate(people, "ann"), evaluate(people, "ann")

    assert [said.partition(" (")[0] for said in first] == [
        "Budget of ann: 100% of $0.00 a day are spent"
    ]
    assert second == []
    with people.sql() as connection:
        (identity,) = connection.execute(
            "select identity::text from project where name = 'anns-orchard'"
        ).fetchone() or ("",)
    assert audit(people) == [
        ("member ann", "budget: 100 ", "ann"),
        (f"project {identity}", "budget: 100 ", None),
        ("team ", "budget: 100 ", None),
        ("team ", "budget: 50 %", None),
        ("team ", "budget: 80 %", None),
    ]
    listed = {one.scope + one.name: one for one in library.list_team_budgets(chief)}
    assert listed["team"].crossed == (0.5, 0.8, 1.0)
    assert listed["membermal"].crossed == ()
    assert listed["projectanns-orchard"].spent_usd == pytest.approx(spent_by(people))


def test_pushes_at_once_cross_a_mark_once(people: People) -> None:
    library.set_team_budget(people.url_of("chief"), "0.000001/month", warn_at="1")
    evaluate(people, "ann")
    with people.sql() as connection:
        connection.execute("delete from budget_mark")
        connection.execute("delete from audit")
    pushers = [
        threading.Thread(target=evaluate, args=(people, name)) for name in ("ann", "mal") * 4
    ]
    for one in pushers:
        one.start()
    for one in pushers:
        one.join()

    assert len(audit(people)) == 1


def test_a_webhook_is_posted_once_by_an_admin_and_tried_again_where_it_failed(
    people: People, webhook: Webhook
) -> None:
    chief = people.url_of("chief")
    library.set_team_budget(
        chief, "0.000001/month", project="mals-orchard", warn_at="1", webhook=webhook.url
    )
    evaluate(people, "mal")
    by_member = library.check_team_budgets(people.url_of("mal"))
    webhook.status = 500
    failed = library.check_team_budgets(chief)
    webhook.status = 200
    posted = library.check_team_budgets(chief)
    again = library.check_team_budgets(chief)

    assert (by_member.posted, by_member.problems) == (0, [])
    assert (failed.posted, failed.problems) == (0, ["The webhook answered 500."])
    assert (posted.posted, again.posted) == (1, 0)
    (said,) = webhook.posted
    assert said["event"] == "budget_crossed"
    assert (said["scope"], said["name"], said["period"]) == ("project", "mals-orchard", "month")
    assert said["mark"] == 1.0
    assert said["spent_usd"] == pytest.approx(spent_by(people, "mal"))
    assert said["since"].endswith("-01")


def test_marks_count_anew_where_the_amount_is_another(people: People) -> None:
    chief = people.url_of("chief")
    library.set_team_budget(chief, "0.000001/month", warn_at="1")
    first = evaluate(people, "chief", everybody=True)
    library.set_team_budget(chief, "0.000001/month", warn_at="1", webhook="https://example.com/x")
    same = evaluate(people, "chief", everybody=True)
    library.set_team_budget(chief, "0.000002/month", warn_at="1")
    other = evaluate(people, "chief", everybody=True)

    assert (len(first), len(same), len(other)) == (1, 0, 1)
    assert library.remove_team_budget(chief, "month") == ""
    assert library.list_team_budgets(chief) == []
    with pytest.raises(Misuse, match="no such budget"):
        library.remove_team_budget(chief, "month")


def test_what_was_used_in_an_earlier_period_does_not_count(people: People) -> None:
    library.set_team_budget(people.url_of("chief"), "0.000001/month")
    with people.sql() as connection:
        connection.execute("update usage_sum set quarter = '2020-01-01T00:00'")

    assert evaluate(people, "chief", everybody=True) == []
    assert audit(people) == []


def test_what_was_taken_back_is_no_longer_spent(people: People) -> None:
    evaluate(people, "ann")
    before = spent_by(people, "ann")
    with people.sql() as connection:
        connection.execute("update usage_sum set quarter = '2020-01-01T00:00'")
    evaluate(people, "ann")

    assert before > 0
    assert spent_by(people, "ann") == 0


@pytest.mark.parametrize(
    ("amount", "options"),
    [
        ("200", {}),
        ("0/month", {}),
        ("-1/month", {}),
        ("nan/month", {}),
        ("5/year", {}),
        ("5/month", {"warn_at": "x"}),
        ("5/month", {"warn_at": "0"}),
        ("5/month", {"warn_at": "nan"}),
        ("5/month", {"webhook": "file:///etc/passwd"}),
        ("5/month", {"project": "a", "member": "b"}),
        ("5/month", {"project": "nothing"}),
        ("5/month", {"member": "nobody"}),
    ],
)
def test_what_is_no_budget_is_refused(people: People, amount: str, options: dict[str, str]) -> None:
    with pytest.raises(Misuse):
        library.set_team_budget(people.url_of("chief"), amount, **options)

    assert library.list_team_budgets(people.url_of("chief")) == []


def test_a_member_neither_keeps_budgets_nor_learns_of_those_of_others(
    people: People, webhook: Webhook
) -> None:
    chief, mal = people.url_of("chief"), people.url_of("mal")
    library.set_team_budget(chief, "0.000001/month", member="ann", warn_at="1", webhook=webhook.url)
    library.set_team_budget(chief, "0.000001/month", warn_at="1", webhook=webhook.url)
    evaluate(people, "ann")

    assert library.list_team_budgets(mal) == []
    for forbidden in (
        lambda: library.set_team_budget(mal, "5/month"),
        lambda: library.remove_team_budget(mal, "month"),
    ):
        with pytest.raises(Misuse, match="kept by its admins"):
            forbidden()
    with people.sql("mal") as connection:
        for table in ("budget", "budget_mark"):
            assert connection.execute(f"select * from {table}").fetchall() == []
            assert connection.execute(f"delete from {table}").rowcount == 0
        assert connection.execute("select * from audit").fetchall() == []
        assert connection.execute("select * from budgets_spent()").fetchall() == []
        assert connection.execute("select * from cross_marks()").fetchall() == []
        for statement in (
            "select * from spent_of((select 1))",
            "select note_deed('x', 'y')",
            "insert into budget values (1, 'team', '', 'day', 1, '{1}', null)",
            "insert into budget_mark values (1, now(), 1, 1)",
            "insert into dialect values ('x', true)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
        with people.sql() as keeper:
            (foreign,) = keeper.execute(
                "select id from project where name = 'anns-orchard'"
            ).fetchone() or (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("insert into spend values (%s, '2026-11-01', 1)", [foreign])
        assert connection.execute("update spend set usd_micro = 1").rowcount == 0
    with closing(ServerConnection(people.url)) as owner:
        assert find_gaps(owner) == []


def test_an_unreachable_webhook_is_a_sentence(people: People) -> None:
    chief = people.url_of("chief")
    library.set_team_budget(chief, "0.000001/day", warn_at="1", webhook="http://127.0.0.1:1/x")

    found = library.check_team_budgets(chief)

    assert len(found.crossed) == 1
    assert found.problems[0].startswith("The webhook cannot be reached: ")


def test_the_web_server_by_itself_sees_no_budget_and_crosses_no_mark(people: People) -> None:
    library.set_team_budget(people.url_of("chief"), "0.000001/month")
    evaluate(people, "ann")
    with people.sql() as connection:
        connection.execute("delete from budget_mark")

    assert library.list_team_budgets(people.url_of("bough_web")) == []
    assert evaluate(people, "bough_web") == []
    with people.sql() as connection:
        assert connection.execute("select * from budget_mark").fetchall() == []
