-- What the calls of each file used, those that count, added up by quarter of an hour of UTC, by
-- model and by step: a stretch of the session that the same conversations pass through. Prices
-- are applied when asked. A special row is one call: its price is not just tokens times rates.
create table usage_sum (
    id integer primary key,
    file_id integer not null,
    quarter text not null,
    step integer not null,
    special integer not null,
    offset integer not null,
    model text not null,
    calls integer not null,
    input_tokens integer not null,
    output_tokens integer not null,
    cache_creation_tokens integer not null,
    cache_read_tokens integer not null,
    cache_creation_1h_tokens integer not null,
    web_searches integer not null,
    speed text,
    rank integer not null,
    first_at text,
    last_at text,
    origin text
) strict;
create index usage_sum_file on usage_sum (file_id);

-- 0: the sums of a file are to be made; 1: they are made as if there were no other file; 2: what
-- other files have too is counted once.
alter table file add column summed integer not null default 0;
create index file_unsummed on file (id) where summed < 2;

-- The steps of a session, where it has more than one: where they begin in its file, what lies
-- before each, and whose they are; and the step that a conversation ends on.
alter table session add column steps text;
alter table conversation add column step integer not null default 0;

-- Steps are found by reading: sessions that part are read again, where they are still there.
update file set mtime_ns = -1, head = x''
where deleted_at is null
and id in (select file_id from conversation group by file_id having count(*) > 1);

-- What was kept of usage until now, when it was first asked.
drop table if exists spent;
