"""Large files: newer clients read those above 5 MiB from the last compaction on."""

import uuid
from pathlib import Path
from typing import Any

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, lab, rested, told

pytestmark = pytest.mark.client

TURNS = 60
WORDS = 60_000
LARGE = 5 * 1024 * 1024


def turns(client: Client, session: str, tag: str, count: int, minute: int) -> list[Any]:
    """Make a chain of turns with the lab's own records; the first hangs on nothing."""
    rec, found = lab().rec, []
    parent = None
    for number in range(count):
        user, answer = f"{tag}u{number}", f"{tag}a{number}"
        time = f"2026-11-14T10:{minute:02d}:{number % 60:02d}"
        cwd, version = client.lab.work, client.version
        found.append(
            rec("user", user, parent, f"{tag} prompt {number} " + "x" * WORDS, session, cwd,
                version, timestamp=f"{time}.000Z")
        )  # fmt: skip
        found.append(
            rec("assistant", answer, user, f"{tag} answer {number} " + "y" * WORDS, session, cwd,
                version, timestamp=f"{time}.500Z")
        )  # fmt: skip
        parent = answer
    return found


@pytest.fixture(scope="module")
def plain(client: Client) -> Path:
    session = str(uuid.uuid4())
    file = Path(client.lab.write_session(session, turns(client, session, "p", TURNS, 0)))
    assert file.stat().st_size > LARGE
    rested(file)
    return file


@pytest.fixture(scope="module")
def compacted(client: Client) -> Path:
    session, uid = str(uuid.uuid4()), lab().uid
    before = turns(client, session, "q", TURNS, 0)
    boundary = lab().rec(
        "system", "compaction", None, "", session, client.lab.work, client.version,
        subtype="compact_boundary", logicalParentUuid=before[-1]["uuid"], level="info",
        content="Conversation compacted", isMeta=False, timestamp="2026-11-14T10:10:00.000Z",
        compactMetadata={"trigger": "auto", "preTokens": 100_000},
    )  # fmt: skip
    summary = lab().rec(
        "user", "sum", "compaction", "SUMMARY", session, client.lab.work, client.version,
        isCompactSummary=True, isVisibleInTranscriptOnly=True,
        timestamp="2026-11-14T10:10:00.000Z",
    )  # fmt: skip
    after = turns(client, session, "r", 4, 20)
    after[0]["parentUuid"] = uid("sum")
    file = Path(client.lab.write_session(session, [*before, boundary, summary, *after]))
    rested(file)
    return file


def test_a_fork_of_a_large_session_is_sent_as_planned(
    client: Client, plain: Path, verdict: Verdict
) -> None:
    plan = travel.fork(plain, "-2", environment=client.desk)
    travel.apply(plan, client.desk)

    planned = told(read_session(plan.path or ""))
    assert Path(plan.path or "").stat().st_size > LARGE
    assert len(planned) == 2 * (TURNS - 2)
    assert client.resume(plan.result or "") == [*planned, ("text", "user", NEXT)]
    verdict("fork of a file above 5 MiB", "exact")


def test_goto_in_a_large_session_is_followed(client: Client, plain: Path, verdict: Verdict) -> None:
    file = client.copy(plain)
    travel.apply(travel.goto(file, lab().uid("pa9"), environment=client.desk), client.desk)

    got = client.resume(file.stem)

    assert got == [*told(read_session(plain))[:20], ("text", "user", NEXT)]
    verdict("goto in a file above 5 MiB", "exact")


@pytest.mark.parametrize(("name", "count"), [("qa30", 62), ("ra1", 5)])
def test_a_fork_of_a_large_compacted_session_is_sent_as_planned(
    client: Client, compacted: Path, name: str, count: int, verdict: Verdict
) -> None:
    plan = travel.fork(compacted, lab().uid(name), environment=client.desk)
    travel.apply(plan, client.desk)

    planned = told(read_session(plan.path or ""))
    assert len(planned) == count
    assert client.resume(plan.result or "") == [*planned, ("text", "user", NEXT)]
    where = "before" if name.startswith("q") else "after"
    verdict(f"fork {where} the compaction of a file above 5 MiB", "exact")
