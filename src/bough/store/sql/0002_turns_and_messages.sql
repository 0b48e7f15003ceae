-- A turn is what a person began, a message what one side said: the columns are called so now.
alter table session rename column turns to messages;
alter table session rename column prompts to turns;
alter table conversation rename column turns to messages;
alter table conversation rename column prompts to turns;

-- What begins a turn has changed as well: files that are still there are read again.
update file set mtime_ns = -1, head = x'' where deleted_at is null;
