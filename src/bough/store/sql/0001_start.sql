-- The index: what is needed to find, list and count. The bytes stay in the user's files.

create table meta (
    key text primary key,
    value text not null
) strict, without rowid;

create table project (
    id integer primary key,
    folder text not null unique,
    dir text not null,
    path text,
    name text not null,
    worktree_of text
) strict;

-- One row per transcript: a session's own file, or one of its agents'.
-- read_to is the offset after the last newline that was read, lines how many were.
create table file (
    id integer primary key,
    path text not null unique,
    project_id integer not null,
    session text not null,
    role text not null,
    agent text,
    agent_type text,
    agent_description text,
    agent_call text,
    device integer not null,
    inode integer not null,
    size integer not null,
    mtime_ns integer not null,
    head_length integer not null,
    head blob not null,
    tail blob not null default x'',
    meta_mtime_ns integer not null default 0,
    title_mtime_ns integer not null default 0,
    custom_title text,
    read_to integer not null,
    lines integer not null,
    deleted_at text
) strict;
create index file_session on file (session);
create index file_project on file (project_id);

-- The facts of a session, as its list shows them; one per file of role 'session'.
create table session (
    file_id integer primary key,
    id text not null,
    title text,
    title_source text,
    started_at text,
    ended_at text,
    records integer not null,
    bad_lines integer not null,
    unknown_records integer not null,
    turns integer not null,
    prompts integer not null,
    branch_points integer not null,
    tips integer not null,
    inline_agents integer not null,
    models text not null,
    git_branch text,
    version text,
    entrypoint text,
    cwd text,
    slugs text not null,
    implements integer not null,
    forked_from text,
    active_tip text,
    tip_rule text not null
) strict;
create index session_id on session (id);

create table conversation (
    file_id integer not null,
    branch integer not null,
    tip text not null,
    active integer not null,
    title text,
    turns integer not null,
    prompts integer not null,
    started_at text,
    ended_at text,
    branch_point text,
    parent integer,
    primary key (file_id, branch)
) strict, without rowid;

-- Records by place. Ids are never used twice: a deleted record leaves its words in the
-- full-text index, where only a living id is found.
create table record (
    id integer primary key autoincrement,
    file_id integer not null,
    offset integer not null,
    length integer not null,
    line integer not null,
    kind text not null,
    uuid text,
    parent_uuid text,
    timestamp text,
    model text,
    tool text,
    message_id text,
    failed integer not null default 0,
    image integer not null default 0,
    branch integer,
    active integer not null default 0
) strict;
create unique index record_place on record (file_id, offset);
-- The indexes on ids (record_uuid, call_id, result_call) are made when a first reading ends:
-- ids come in no order, and keeping such an index up row by row costs far more.

-- What a session's shape is computed from, so that an append need not read the file again;
-- one row for each stretch that was read, by the offset it begins at. Made for large sessions,
-- and for small ones when they first grow.
create table outline (
    file_id integer not null,
    offset integer not null,
    lines blob not null,
    primary key (file_id, offset)
) strict, without rowid;

create table summary (
    file_id integer not null,
    offset integer not null,
    leaf_uuid text not null,
    text text not null,
    primary key (file_id, offset)
) strict, without rowid;
create index summary_leaf on summary (leaf_uuid);

-- Every line that reports usage; which of them count is decided when asked.
create table usage (
    file_id integer not null,
    offset integer not null,
    message_id text,
    request_id text,
    model text not null,
    timestamp text,
    input_tokens integer not null,
    output_tokens integer not null,
    cache_creation_tokens integer not null,
    cache_read_tokens integer not null,
    cache_creation_1h_tokens integer not null,
    web_searches integer not null,
    speed text,
    rank integer not null,
    primary key (file_id, offset)
) strict, without rowid;

create table call (
    file_id integer not null,
    offset integer not null,
    call_id text not null,
    name text not null,
    timestamp text,
    primary key (file_id, offset, call_id)
) strict, without rowid;

create table result (
    file_id integer not null,
    offset integer not null,
    call_id text not null,
    timestamp text,
    failed integer not null,
    refused integer not null,
    bytes integer not null,
    duration_ms real,
    primary key (file_id, offset, call_id)
) strict, without rowid;

create table touch (
    file_id integer not null,
    offset integer not null,
    call_id text not null,
    path text not null,
    tool text not null,
    timestamp text,
    primary key (file_id, offset, call_id)
) strict, without rowid;

-- What records tell about runs of hooks; one run may be told of by several (model/hooks.py).
create table hook (
    file_id integer not null,
    offset integer not null,
    number integer not null,
    call_id text,
    event text,
    command text not null,
    outcome text not null,
    duration_ms real,
    source text not null,
    timestamp text,
    primary key (file_id, offset, number)
) strict, without rowid;

-- What calls, results and notices tell about an agent's run; they share its call_id.
create table agent_run (
    file_id integer not null,
    offset integer not null,
    call_id text not null,
    source text not null,
    type text,
    status text,
    tokens integer,
    steps integer,
    duration_ms real,
    timestamp text,
    primary key (file_id, offset, call_id)
) strict, without rowid;

-- What a person said: prompts, commands, shell lines, prompts from the queue.
create table prompt (
    file_id integer not null,
    offset integer not null,
    uuid text,
    timestamp text,
    primary key (file_id, offset)
) strict, without rowid;

create table trouble (
    file_id integer not null,
    offset integer not null,
    uuid text,
    kind text not null,
    reason text not null,
    detail text,
    timestamp text,
    primary key (file_id, offset)
) strict, without rowid;

create table compaction (
    file_id integer not null,
    offset integer not null,
    uuid text,
    trigger text,
    tokens_before integer,
    tokens_after integer,
    timestamp text,
    primary key (file_id, offset)
) strict, without rowid;

-- How agents are tied to the call that started them, as the starting file tells it.
create table tie (
    file_id integer not null,
    offset integer not null,
    agent text not null,
    call_id text not null,
    known_by text not null,
    primary key (file_id, agent, call_id, known_by)
) strict, without rowid;

create virtual table words using fts5 (
    prompt, text, thinking, tool_input, tool_result, note,
    content = '', tokenize = 'unicode61 remove_diacritics 2'
);
-- Gather more words in memory before they are written out: fewer pieces to merge.
insert into words (words, rank) values ('hashsize', 33554432);
insert into words (words, rank) values ('automerge', 8);
