-- Why a message stopped, where that is not the usual: the filter stop:max_tokens asks it.
create table stop (
    file_id integer not null,
    offset integer not null,
    reason text not null,
    primary key (file_id, offset)
) strict, without rowid;

-- Nothing kept the reasons until now: files that are still there are read again.
update file set mtime_ns = -1, head = x'' where deleted_at is null;
