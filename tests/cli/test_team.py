"""`bough team`, and reading commands with --store, as people run them."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bough.ingest.index.refresh import refresh_index
from bough.store.postgres.postgres_store import PostgresStore
from tests.cli.screens import run_now
from tests.team_people import team_of
from tests.team_server import LAPTOP, TeamServer


@pytest.fixture(scope="module")
def team_url(team_server: TeamServer, demo: Path) -> Iterator[str]:
    """Lend a team's store with the demo in it."""
    with team_server.database() as url:
        store = PostgresStore(url, machine=LAPTOP)
        refresh_index(store, [demo], workers=1)
        store.close()
        yield url


def test_tables_are_made_and_brought_up_to_date(team_server: TeamServer) -> None:
    with team_server.database(empty=True) as url:
        before = run_now("sessions", "--store", url)
        made = run_now("team", "init", "--store", url)
        twice = run_now("team", "init", "--store", url)
        again = run_now("team", "migrate", "--store", url)
        after = run_now("sessions", "--store", url)

    assert before.returncode == 3
    assert "An admin makes them: bough team init" in before.stderr
    assert made.returncode == 0
    assert made.stderr.startswith("Made the tables in ")
    assert twice.returncode == 2
    assert "bough team migrate" in twice.stderr
    assert "are up to date" in again.stderr
    assert after.returncode == 0


@pytest.fixture(scope="module")
def local_index(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the index of the demo on this machine."""
    place = str(tmp_path_factory.mktemp("local") / "index.sqlite")
    run_now("index", "--claude-dir", str(demo), "--index", place)
    return place


@pytest.mark.parametrize(
    "words",
    [
        ("projects", "--json"),
        ("sessions", "--json"),
        ("conversations", "--json"),
        ("usage", "--json"),
        ("stats", "hooks", "--json"),
        ("show", "latest", "--json"),
        ("tree", "latest", "--json"),
        ("export", "latest", "-o", "-"),
    ],
    ids=" ".join,
)
def test_both_stores_say_the_same(
    team_url: str, demo: Path, local_index: str, words: tuple[str, ...]
) -> None:
    here = run_now(*words, "--claude-dir", str(demo), "--index", local_index)
    there = run_now(*words, "--store", team_url)

    assert here.returncode == there.returncode == 0, there.stderr
    # Only a team's rows say whose they are: every one of them, where any does.
    whose = ',"machine":"laptop","owner":"ann"'
    rows = here.stdout.count('"worktree_of":') or here.stdout.count('"title_source":')
    assert there.stdout.count(whose) == (rows if words[0] in ("projects", "sessions") else 0)
    found = there.stdout.replace(f"//laptop{demo}", str(demo)).replace(whose, "")
    assert found == here.stdout


def test_both_stores_have_the_same_hits_for_a_pattern(
    team_url: str, demo: Path, local_index: str
) -> None:
    words = ("search", "checkpoint /c[a-z]+t/", "--newest", "--limit", "1000", "--json")
    here = run_now(*words, "--claude-dir", str(demo), "--index", local_index)
    there = run_now(*words, "--store", team_url)

    found = msgspec.json.decode(there.stdout.replace(f"//laptop{demo}", str(demo)))
    expected = msgspec.json.decode(here.stdout)
    assert found["total"] == expected["total"] > 10
    # What was said at the same moment stands in the order of the store's own numbers.
    assert sorted(found["hits"], key=repr) == sorted(expected["hits"], key=repr)


@pytest.mark.parametrize(
    "words",
    [
        ("fork", "latest", "--at", "x"),
        ("index",),
        ("watch",),
        ("archive",),
        ("archive", "status"),
        ("rename", "latest", "x"),
        ("backup", "x"),
    ],
    ids=" ".join,
)
def test_what_is_about_this_machine_takes_no_store(words: tuple[str, ...]) -> None:
    done = run_now(*words, "--store", "postgresql://nobody@127.0.0.1:1/x")

    assert done.returncode == 2
    assert f"bough {words[0]} is about this machine alone: it takes no --store" in done.stderr


def test_a_store_is_named_by_a_url() -> None:
    done = run_now("sessions", "--store", "index.sqlite")

    assert done.returncode == 2
    assert done.stderr.startswith("--store takes a URL such as postgresql://")


def test_a_database_that_cannot_be_reached_is_one_sentence() -> None:
    done = run_now("sessions", "--store", "postgresql://ann:secret@127.0.0.1:1/team")

    assert done.returncode == 3
    assert done.stderr.startswith("Cannot reach the database team on 127.0.0.1: ")
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr


def test_people_are_let_in_and_out_again(team_server: TeamServer) -> None:
    with team_of(team_server) as people:
        url = people.url
        added = {
            name: run_now("team", "member", "add", name, "--role", role, "--store", url)
            for name, role in (("ann", "member"), ("ben", "member"), ("eve", "auditor"))
        }
        people.tokens |= {name: done.stdout.strip() for name, done in added.items()}
        twice = run_now("team", "member", "add", "ann", "--store", url)
        odd = run_now("team", "member", "add", "Robert'); --", "--store", url)
        listed = run_now("team", "member", "list", "--store", url, "--json")
        refused = run_now("team", "member", "add", "friend", "--store", people.url_of("ben"))
        rotated = run_now("team", "member", "rotate", "ann", "--store", url)
        revoked = run_now("team", "member", "revoke", "ben", "--store", url)
        out = run_now("sessions", "--store", people.url_of("ben"))
        checked = run_now("team", "check", "--store", url)

    assert len(added["ann"].stdout.strip()) == 43
    assert "not shown again" in added["ann"].stderr
    assert twice.returncode == odd.returncode == 2
    assert "is a member already" in twice.stderr
    assert "cannot be a member's name" in odd.stderr
    names = {one["name"]: one["role"] for one in json.loads(listed.stdout)["members"]}
    assert names == {"ann": "member", "ben": "member", "eve": "auditor"}
    assert refused.returncode == out.returncode == 3
    assert "does not allow that" in refused.stderr
    assert rotated.stdout.strip() not in ("", people.tokens["ann"])
    assert revoked.returncode == 0
    assert (checked.returncode, checked.stderr) == (0, "The database guards what it should.\n")


def test_who_shares_a_project_lets_another_read_it_until_they_do_not(
    team_server: TeamServer, tmp_path: Path
) -> None:
    with team_of(team_server) as people:
        anns, bens = people.add("ann"), people.add("ben")
        (tmp_path / "projects").mkdir()
        (sent,) = people.send("ann", tmp_path, ["orchard"])
        foreign = run_now("team", "share", "orchard", "ann", "--store", bens)
        before = run_now("show", sent.session, "--store", bens)
        shared = run_now("team", "share", "orchard", "ben", "--store", anns)
        reads = run_now("show", sent.session, "--store", bens)
        found = run_now("search", sent.word, "--store", bens)
        shares = run_now("team", "share", "--store", bens)
        unshared = run_now("team", "unshare", "orchard", "ben", "--store", anns)
        after = run_now("show", sent.session, "--store", bens)

    assert (foreign.returncode, "You have no project orchard" in foreign.stderr) == (2, True)
    assert before.returncode == after.returncode == 1
    assert before.stderr == after.stderr
    assert shared.stderr == "ben reads orchard from now on.\n"
    assert sent.word in reads.stdout
    assert sent.word in found.stdout
    assert shares.stdout == "ben  read  orchard (ann's)\n"
    assert unshared.returncode == 0


def test_budgets_are_set_listed_checked_and_removed(
    team_server: TeamServer, tmp_path: Path
) -> None:
    with team_of(team_server) as people:
        people.add("ann")
        chief = people.add("chief", "admin")
        (tmp_path / "projects").mkdir()
        people.send("ann", tmp_path, ["orchard"])
        with people.sql() as connection:
            connection.execute(
                "update usage_sum set quarter ="
                " to_char(now() at time zone 'UTC', 'YYYY-MM-DD') || 'T00:00'"
            )

        def run(*words: str) -> str:
            done = run_now("team", *words, "--store", chief)
            assert done.returncode == 0, done.stderr
            return done.stdout + done.stderr

        none = run("budget", "list")
        one = run("budget", "set", "200/month", "--project", "orchard", "--warn", "0.5,1")
        two = run("budget", "set", "0.000001/day")
        checked = run("check")
        again = run("check")
        listed = run("budget", "list")
        documents = json.loads(run("budget", "list", "--json"))["budgets"]
        gone = run("budget", "remove", "month", "--project", "orchard")
        odd = run_now("team", "budget", "set", "200", "--store", chief)
        not_admin = run_now("team", "budget", "set", "2/day", "--store", people.url_of("ann"))

    assert none == "There is no budget that you may see.\n"
    assert one == "orchard: $200.00 a month, told at 50%, 100%.\n"
    assert two.startswith("the team: $0.00 a day, told at 50%, 80%, 100%.")
    assert checked.count("Budget of the team: ") == 3
    assert again == "The database guards what it should.\n"
    assert listed.startswith("project orchard  $0.")
    assert "crossed 50%, 80%, 100%" in listed
    assert [one["usd"] for one in documents] == [200.0, 0.000001]
    assert gone == "There is no budget of a month for orchard any more.\n"
    assert (odd.returncode, "200/month" in odd.stderr) == (2, True)
    assert (not_admin.returncode, "kept by its admins" in not_admin.stderr) == (2, True)
