-- The pull requests that came out of a session, as JSON: [{number, repository, url}].
alter table session add column pull_requests text not null default '[]';

-- Outlines did not keep their records: sessions that are still there are read again.
update file set mtime_ns = -1, head = x'' where deleted_at is null and role = 'session';
