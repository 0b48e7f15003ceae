"""One record at a time: the plain layer under the fluent builder.

`make_record` gives an object with every field its client would write around what is given, in the
order that client writes them. What is given always wins, so any field can be made wrong.
"""

from datetime import UTC, datetime, timedelta
from typing import TypedDict

from msgspec import UNSET, Struct

from bough.sample.data import client_versions as eras
from bough.sample.data.blocks import Json

ABSENT = UNSET
"""Given as a field's value, leaves the field out."""


class SampleFacts(Struct, frozen=True, kw_only=True):
    """What all records of a session have in common."""

    seed: str
    session_id: str
    version: str = "2.1.250"
    cwd: str = "/home/dev/code/orchard-shop"
    branch: str | None = "main"
    entrypoint: str = "cli"
    slug: str | None = None
    permission_mode: str = "default"
    model: str = "claude-opus-4-6"
    start: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    tick: timedelta = timedelta(seconds=1)
    project: str | None = None
    agent_id: str | None = None
    sidechain: bool = False


class SampleOptions(TypedDict, total=False):
    """The facts a caller may choose."""

    session_id: str
    version: str
    cwd: str
    branch: str | None
    entrypoint: str
    slug: str | None
    permission_mode: str
    model: str
    start: datetime
    tick: timedelta
    project: str | None


def make_record(
    kind: str, facts: SampleFacts, parent: str | None = None, /, **fields: object
) -> Json:
    """Make a record of the tree."""
    head: Json = {"parentUuid": parent}
    if "logicalParentUuid" in fields:
        head["logicalParentUuid"] = None
    head["isSidechain"] = facts.sidechain
    tail = _make_origin_fields(facts)
    if eras.is_since(facts.version, "2.1.78"):
        made = head | {"type": kind} | fields | tail | fields
    else:
        made = head | tail | {"type": kind} | fields
    return drop_absent(made)


def drop_absent(made: Json) -> Json:
    """Leave out the fields marked as absent."""
    return {key: value for key, value in made.items() if value is not ABSENT}


def _make_origin_fields(facts: SampleFacts) -> Json:
    """Give the fields that say where a record comes from."""
    tail: Json = {"userType": "external"}
    if eras.is_since(facts.version, "2.1.78"):
        tail["entrypoint"] = facts.entrypoint
    tail |= {"cwd": facts.cwd, "sessionId": facts.session_id, "version": facts.version}
    if eras.is_since(facts.version, "1.0.55") and facts.branch is not None:
        tail["gitBranch"] = facts.branch
    if facts.slug is not None:
        tail["slug"] = facts.slug
    if facts.agent_id is not None and eras.is_since(facts.version, "2.0.28"):
        tail["agentId"] = facts.agent_id
    return tail
