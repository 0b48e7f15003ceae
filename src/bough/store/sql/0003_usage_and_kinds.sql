-- The session that a line says it was copied from (forkedFrom): what it reports was spent there.
alter table usage add column origin text;

-- Cache writes whose split is all zero count: files that are still there are read again.
update file set mtime_ns = -1, head = x'' where deleted_at is null;
