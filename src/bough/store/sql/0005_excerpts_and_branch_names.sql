-- The first and the last prompt of a session: what tells two of the same title apart.
alter table session add column first_prompt text not null default '';
alter table session add column last_prompt text not null default '';

-- Branches have names of their own now: sessions that are still there are read again.
update file set mtime_ns = -1, head = x'' where deleted_at is null and role = 'session';
