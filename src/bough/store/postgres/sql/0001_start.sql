-- A team's history: the tables of the local index, with the machine and the project of each row.
--
-- Numbers come from whoever writes (63 bits of a hash), never from a sequence: what is sent twice
-- is the same row. No foreign keys: rows are removed by their file. No extension is needed. Text
-- is compared byte by byte, as the local index does.

create table meta (
    key text collate "C" primary key,
    value text not null
);

-- prefix stands before every path of the machine: //laptop/home/dev/.claude/projects/...
create table machine (
    id uuid primary key,
    owner text collate "C" not null,
    name text collate "C" not null,
    prefix text collate "C" not null unique,
    added timestamptz not null default now()
);

-- Who writes the files of a machine just now.
create table writing (
    machine_id uuid primary key,
    writer text
);

-- One row per folder of projects of a machine; identity is the same for all folders of one
-- repository, on whatever machine: it is what is shared with others.
create table project (
    id bigint primary key,
    machine_id uuid not null,
    identity bigint not null,
    repository text collate "C",
    folder text collate "C" not null,
    dir text collate "C" not null,
    path text collate "C",
    name text collate "C" not null,
    worktree_of text collate "C",
    unique (machine_id, folder)
);
create index project_identity on project (identity);

create table file (
    id bigint primary key,
    machine_id uuid not null,
    path text collate "C" not null,
    project_id bigint not null,
    session text collate "C" not null,
    role text collate "C" not null,
    agent text collate "C",
    agent_type text collate "C",
    agent_description text collate "C",
    agent_call text collate "C",
    device bigint not null,
    inode bigint not null,
    size bigint not null,
    mtime_ns bigint not null,
    head_length bigint not null,
    head bytea not null,
    tail bytea not null default '',
    meta_mtime_ns bigint not null default 0,
    title_mtime_ns bigint not null default 0,
    custom_title text collate "C",
    read_to bigint not null,
    lines bigint not null,
    deleted_at text collate "C",
    pushed timestamptz not null default now(),
    unique (machine_id, path)
);
create index file_path on file (path);
create index file_session on file (session);
create index file_project on file (project_id);

-- The files whose sums of usage are to be made, each with the name of the writing that says so:
-- rows are added by writers and removed by who has made the sums, so nobody waits for another.
create table unsummed (
    file_id bigint not null,
    project_id bigint not null,
    written_by uuid not null,
    primary key (file_id, written_by)
);

-- What lies beside transcripts: long outputs, pictures, descriptions of agents.
create table companion (
    id bigint primary key,
    machine_id uuid not null,
    project_id bigint not null,
    session text collate "C" not null,
    path text collate "C" not null,
    size bigint not null,
    mtime_ns bigint not null,
    unique (machine_id, path)
);
create index companion_path on companion (path);
create index companion_session on companion (session);
create index companion_project on companion (project_id);

-- The bytes, of files and companions: whole lines, each stretch a zstd frame of its own.
create table frame (
    file_id bigint not null,
    "offset" bigint not null,
    length bigint not null,
    project_id bigint not null,
    data bytea not null,
    primary key (file_id, "offset")
);

create table session (
    file_id bigint primary key,
    project_id bigint not null,
    id text collate "C" not null,
    title text collate "C",
    title_source text collate "C",
    started_at text collate "C",
    ended_at text collate "C",
    records bigint not null,
    bad_lines bigint not null,
    unknown_records bigint not null,
    messages bigint not null,
    turns bigint not null,
    branch_points bigint not null,
    tips bigint not null,
    inline_agents bigint not null,
    models text collate "C" not null,
    git_branch text collate "C",
    version text collate "C",
    entrypoint text collate "C",
    session_kind text collate "C",
    cwd text collate "C",
    slugs text collate "C" not null,
    implements integer not null,
    forked_from text collate "C",
    active_tip text collate "C",
    tip_rule text collate "C" not null,
    first_prompt text collate "C" not null default '',
    last_prompt text collate "C" not null default '',
    pull_requests text collate "C" not null default '[]',
    steps text collate "C"
);
create index session_id on session (id);
create index session_project on session (project_id);

create table conversation (
    file_id bigint not null,
    project_id bigint not null,
    branch bigint not null,
    tip text collate "C" not null,
    active integer not null,
    title text collate "C",
    messages bigint not null,
    turns bigint not null,
    started_at text collate "C",
    ended_at text collate "C",
    branch_point text collate "C",
    parent bigint,
    step bigint not null default 0,
    primary key (file_id, branch)
);

-- kinds has a bit for each kind of words that the record has; null where it has none to show.
-- body is the record as JSON, long strings cut, for questions; the bytes are in frame.
create table record (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    length bigint not null,
    line bigint not null,
    kind text collate "C" not null,
    uuid text collate "C",
    parent_uuid text collate "C",
    timestamp text collate "C",
    model text collate "C",
    tool text collate "C",
    message_id text collate "C",
    failed integer not null default 0,
    image integer not null default 0,
    branch bigint,
    active integer not null default 0,
    kinds smallint,
    body jsonb,
    primary key (file_id, "offset")
);
create index record_uuid on record (uuid) where uuid is not null;
create index record_moment on record ((coalesce(timestamp, '')), file_id, "offset");
create index record_project on record (project_id);

-- The words of a record, a row for each kind; long texts are several parts that overlap. Kind 6
-- are the parts of names (importJob), as in the local index. Nobody may read this table: what is
-- found in it is told by bough.found, which knows who asks.
create table word (
    file_id bigint not null,
    "offset" bigint not null,
    kind smallint not null,
    part integer not null,
    project_id bigint not null,
    moment text collate "C" not null,
    v tsvector not null,
    primary key (file_id, "offset", kind, part)
);
create index word_v on word using gin (v) with (fastupdate = off);
create index word_moment on word (moment, file_id, "offset");

create table outline (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    lines bytea not null,
    primary key (file_id, "offset")
);

create table summary (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    leaf_uuid text collate "C" not null,
    text text collate "C" not null,
    primary key (file_id, "offset")
);

create table usage (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    message_id text collate "C",
    request_id text collate "C",
    model text collate "C" not null,
    timestamp text collate "C",
    input_tokens bigint not null,
    output_tokens bigint not null,
    cache_creation_tokens bigint not null,
    cache_read_tokens bigint not null,
    cache_creation_1h_tokens bigint not null,
    web_searches bigint not null,
    speed text collate "C",
    rank integer not null,
    origin text collate "C",
    primary key (file_id, "offset")
);
create index usage_message on usage (message_id) where message_id is not null;

-- What the calls of each file used, by quarter of an hour, model and step, as in the local index;
-- number tells the rows of a file apart.
create table usage_sum (
    file_id bigint not null,
    number integer not null,
    project_id bigint not null,
    quarter text collate "C" not null,
    step bigint not null,
    special integer not null,
    "offset" bigint not null,
    model text collate "C" not null,
    calls bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cache_creation_tokens bigint not null,
    cache_read_tokens bigint not null,
    cache_creation_1h_tokens bigint not null,
    web_searches bigint not null,
    speed text collate "C",
    rank integer not null,
    first_at text collate "C",
    last_at text collate "C",
    origin text collate "C",
    primary key (file_id, number)
);

create table call (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    call_id text collate "C" not null,
    name text collate "C" not null,
    timestamp text collate "C",
    primary key (file_id, "offset", call_id)
);
create index call_id on call (call_id);

create table result (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    call_id text collate "C" not null,
    timestamp text collate "C",
    failed integer not null,
    refused integer not null,
    bytes bigint not null,
    duration_ms double precision,
    primary key (file_id, "offset", call_id)
);
create index result_call on result (call_id);

create table touch (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    call_id text collate "C" not null,
    path text collate "C" not null,
    tool text collate "C" not null,
    timestamp text collate "C",
    primary key (file_id, "offset", call_id)
);

create table hook (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    number integer not null,
    call_id text collate "C",
    event text collate "C",
    command text collate "C" not null,
    outcome text collate "C" not null,
    duration_ms double precision,
    source text collate "C" not null,
    timestamp text collate "C",
    primary key (file_id, "offset", number)
);

create table agent_run (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    call_id text collate "C" not null,
    source text collate "C" not null,
    type text collate "C",
    status text collate "C",
    tokens bigint,
    steps bigint,
    duration_ms double precision,
    timestamp text collate "C",
    primary key (file_id, "offset", call_id)
);

create table prompt (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    uuid text collate "C",
    timestamp text collate "C",
    primary key (file_id, "offset")
);

create table trouble (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    uuid text collate "C",
    kind text collate "C" not null,
    reason text collate "C" not null,
    detail text collate "C",
    timestamp text collate "C",
    primary key (file_id, "offset")
);

create table compaction (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    uuid text collate "C",
    trigger text collate "C",
    tokens_before bigint,
    tokens_after bigint,
    timestamp text collate "C",
    primary key (file_id, "offset")
);

create table stop (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    reason text collate "C" not null,
    primary key (file_id, "offset")
);

create table tie (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    agent text collate "C" not null,
    call_id text collate "C" not null,
    known_by text collate "C" not null,
    primary key (file_id, agent, call_id, known_by)
);
create index tie_agent on tie (agent);
