-- The parts of names such as importJob stand in a column of their own: what matches only there is
-- worth less. One column: each costs, also where it is empty.
drop table words;
create virtual table words using fts5 (
    prompt, text, thinking, tool_input, tool_result, note, parts,
    content = '', tokenize = 'unicode61 remove_diacritics 2'
);
insert into words (words, rank) values ('hashsize', 33554432);
insert into words (words, rank) values ('automerge', 8);

-- The words come out of the files: those that are still there are read again. Of those that are
-- gone the index had neither words nor records any more, so ids may begin anew.
delete from record;
delete from sqlite_sequence where name = 'record';
update file set mtime_ns = -1, head = x'' where deleted_at is null;
