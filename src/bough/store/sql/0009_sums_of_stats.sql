-- What each file adds to a report of statistics, packed: made when a report is asked for, gone when
-- the file is written. Only things whose id no other file has are in it.
create table stats_sum (
    kind text not null,
    file_id integer not null,
    bucket text not null,
    first text not null,
    last text not null,
    value blob
) strict;
create unique index stats_sum_file on stats_sum (file_id, kind);
create index stats_sum_bucket on stats_sum (kind, bucket);

-- The same, added up for files of one month.
create table stats_bucket (
    kind text not null,
    bucket text not null,
    first text not null,
    last text not null,
    value blob not null,
    primary key (kind, bucket)
) strict;

-- The ids that several files have, or once had: these are looked up whenever it is counted.
create table stats_shared (
    space text not null,
    id text not null,
    primary key (space, id)
) strict, without rowid;
