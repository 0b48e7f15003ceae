"""What an engine that speaks PostgreSQL can do: tried, not assumed.

Each trial is made in a transaction of its own that is rolled back. `team migrate` keeps how they
ended in the table `dialect`; where a script fails, what cannot be done is part of the sentence.
"""

from typing import Final

import psycopg
from msgspec import Struct

from bough.errors import IndexTrouble
from bough.store.postgres.server_connection import ServerConnection
from bough.store.team_rows import DialectAnswer

_NAME_OF_ENGINE: Final = "engine"
_LONGEST: Final = 300
_WORDS: Final = (
    "create temporary table probe_words (id integer, v tsvector)",
    "insert into probe_words values (1, 'apple:1'), (2, 'pear:1'), (3, 'apple:1 pear:2')",
    "create index probe_words_v on probe_words using gin (v)",
    "set local enable_seqscan = off",
)
_FUNCTION: Final = (
    "create function pg_temp.probe_function() returns text language sql stable"
    " security definer set search_path = pg_catalog, pg_temp"
    " as $$ select current_setting('search_path') $$"
)
_COUNTED: Final = "select count(*) = {expected} from probe_words where v @@ '{query}'::tsquery"


class DialectProbe(Struct, frozen=True):
    """Something to be tried: what is made first, and a question whose answer is true."""

    name: str
    about: str
    question: str
    before: tuple[str, ...] = ()


PROBES: Final = (
    DialectProbe(
        "phrase",
        "phrases (<->)",
        "select 'a:1 b:2'::tsvector @@ 'a <-> b'::tsquery"
        " and not 'a:2 b:1'::tsvector @@ 'a <-> b'::tsquery",
    ),
    DialectProbe("prefix", "prefixes", "select 'orchard:1'::tsvector @@ 'orch:*'::tsquery"),
    DialectProbe("gin", "an index of words", _COUNTED.format(expected=2, query="apple"), _WORDS),
    DialectProbe(
        "gin_or",
        "one of several words, by the index",
        _COUNTED.format(expected=3, query="apple | pear"),
        _WORDS,
    ),
    DialectProbe(
        "gin_and",
        "several words, by the index",
        _COUNTED.format(expected=1, query="apple & pear"),
        _WORDS,
    ),
    DialectProbe(
        "advisory_lock",
        "advisory locks",
        "select pg_try_advisory_lock(7165927421) and pg_advisory_unlock(7165927421)",
    ),
    DialectProbe(
        "row_security",
        "row-level security, forced",
        "select relrowsecurity and relforcerowsecurity and exists (select 1 from pg_policies"
        " where tablename = 'probe_rows' and policyname = 'probe') from pg_class"
        " where relname = 'probe_rows'",
        (
            "create temporary table probe_rows (a integer)",
            "alter table probe_rows enable row level security",
            "alter table probe_rows force row level security",
            "create policy probe on probe_rows using (a > 1)",
        ),
    ),
    DialectProbe(
        "security_definer",
        "functions with the rights of their owner and a search path of their own",
        "select pg_temp.probe_function() = 'pg_catalog, pg_temp'",
        (_FUNCTION,),
    ),
    DialectProbe(
        "sha256",
        "hashes",
        "select encode(sha256('a'::bytea), 'hex') like 'ca978112%'",
    ),
    DialectProbe(
        "unnest",
        "several arrays as rows",
        "select count(*) = 2 from unnest(array[1, 2], array['a', 'b']) as rows(n, t)",
    ),
    DialectProbe("jsonb", "JSON", """select '{"a": [1]}'::jsonb->'a'->>0 = '1'"""),
    DialectProbe(
        "partitions",
        "tables in parts",
        "select count(*) = 1 from probe_parts where a = 3",
        (
            "create temporary table probe_parts (a integer) partition by range (a)",
            "create temporary table probe_part partition of probe_parts for values from (1) to (5)",
            "insert into probe_parts values (3)",
        ),
    ),
)
_ENGINES: Final = (
    ("CockroachDB", "select version() ilike '%cockroach%'"),
    ("YugabyteDB", "select version() ilike '%-yb-%'"),
    ("Citus", "select exists (select 1 from pg_extension where extname = 'citus')"),
    ("Aurora", "select exists (select 1 from pg_proc where proname = 'aurora_version')"),
    ("Neon", "select exists (select 1 from pg_settings where name like 'neon.%')"),
    ("AlloyDB", "select exists (select 1 from pg_settings where name like 'alloydb.%')"),
)
_VERSION: Final = "select version()"
_PUT: Final = """
    insert into dialect (name, works, detail) values (%s, %s, %s)
    on conflict (name) do update set works = excluded.works, detail = excluded.detail,
        tried_at = now()
"""


def try_dialect(connection: ServerConnection) -> list[DialectAnswer]:
    """Try what the engine can do; leaves nothing in the database."""
    return [_name_engine(connection), *(_try_probe(connection, one) for one in PROBES)]


def save_dialect(connection: ServerConnection, trials: list[DialectAnswer]) -> None:
    """Keep how the trials ended."""
    connection.run_many(_PUT, [(one.name, one.works, one.detail) for one in trials])


def describe_missing(trials: list[DialectAnswer]) -> str:
    """Say what the engine cannot do; nothing where it can do everything."""
    failed = {one.name for one in trials if not one.works}
    missing = [one.about for one in PROBES if one.name in failed]
    if not missing:
        return ""
    engine = next((one.detail for one in trials if one.name == _NAME_OF_ENGINE), "this engine")
    return f"What {engine} cannot do: {', '.join(missing)}."


def _try_probe(connection: ServerConnection, probe: DialectProbe) -> DialectAnswer:
    try:
        with connection.raw.transaction(force_rollback=True):
            for statement in probe.before:
                connection.run(statement)
            row = connection.fetch_one(probe.question)
            works = bool(row and row[0])
    except IndexTrouble as error:
        return DialectAnswer(probe.name, works=False, detail=error.message[:_LONGEST])
    return DialectAnswer(probe.name, works=works, detail="" if works else "It answers wrongly.")


def _name_engine(connection: ServerConnection) -> DialectAnswer:
    row = connection.fetch_one(_VERSION)
    version = str(row[0]).partition(" on ")[0] if row else "unknown"
    for name, question in _ENGINES:
        try:
            with connection.raw.transaction(force_rollback=True):
                found = connection.fetch_one(question)
        except (IndexTrouble, psycopg.Error):
            continue
        if found and found[0]:
            return DialectAnswer(_NAME_OF_ENGINE, works=True, detail=f"{name} ({version})")
    return DialectAnswer(_NAME_OF_ENGINE, works=True, detail=version)
