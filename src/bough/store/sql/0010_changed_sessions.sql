-- The writing that last changed something about a session, or about calls that are charged to it.
-- What was counted before is brought up to date by counting these sessions again.
create table session_change (
    session text primary key,
    writing integer not null
) strict, without rowid;

-- The messages that several files report, or once did. Of some of them, other lines would count if
-- deleted files were left out.
create table usage_shared (
    message_id text primary key,
    existing_differs integer not null
) strict, without rowid;

-- Only copies name where they were copied from.
create index usage_origin on usage (origin) where origin is not null;
create index usage_sum_origin on usage_sum (origin) where origin is not null;
