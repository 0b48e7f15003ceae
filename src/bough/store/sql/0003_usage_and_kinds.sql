-- The session that a line says it was copied from (forkedFrom): what it reports was spent there.
alter table usage add column origin text;

-- What kind of session the client says it is: bg is one that runs in the background.
alter table session add column session_kind text;

-- Cache writes whose split is all zero count: files that are still there are read again.
update file set mtime_ns = -1, head = x'' where deleted_at is null;
