-- Who sees what. Everyone who comes in is a role of the database; no setting says who one is, but
-- for the web server, which is trusted with it. Rows are guarded by policies on every table but
-- word; nobody has any right on word, and what is found in it is told by functions that know who
-- asks. Those belong to bough_guard, a role that cannot log in and owns nothing else.

do $$
declare
    wanted text;
begin
    foreach wanted in array array['bough_guard', 'bough_member', 'bough_web'] loop
        begin
            execute format('create role %I nologin', wanted);
        exception when duplicate_object or unique_violation then
            null;  -- of another database of this server
        end;
    end loop;
    if not pg_has_role('bough_web', 'bough_member', 'member') then
        grant bough_member to bough_web;
    end if;
end
$$;

-- has_login says that the role was made for the member, and is taken away with them.
create table member (
    name text collate "C" primary key,
    role text not null check (role in ('admin', 'member', 'auditor')),
    token_sha256 bytea unique,
    has_login boolean not null default false,
    added timestamptz not null default now(),
    revoked_at timestamptz
);

-- owner is whose folders of the project are meant: '*' are everybody's, which only an admin says.
create table share (
    member text collate "C" not null,
    identity bigint not null,
    owner text collate "C" not null,
    level text not null check (level in ('read', 'numbers')),
    added_by text collate "C" not null,
    added timestamptz not null default now(),
    primary key (member, identity, owner)
);

-- owner is whose it is that something was done to. Rows are never changed.
create table audit (
    at timestamptz not null default now(),
    who text collate "C" not null,
    what text collate "C" not null,
    on_what text collate "C" not null,
    owner text collate "C",
    file_id bigint
);
create index audit_at on audit (at);
create index audit_file on audit (file_id, who, at);

-- Comments, stars and labels that people share.
create table note (
    author text collate "C" not null,
    id bigint not null,
    project_id bigint not null,
    session text collate "C" not null,
    uuid text collate "C",
    body text collate "C" not null,
    at timestamptz not null default now(),
    primary key (author, id)
);
create index note_session on note (session);

create table budget (
    id bigint primary key,
    scope text not null check (scope in ('team', 'project', 'member')),
    scope_id text collate "C" not null,
    period text not null check (period in ('day', 'week', 'month')),
    usd_micro bigint not null,
    warn_at real[] not null,
    webhook text
);

-- Files of different people that have the same calls, as a session does that was pulled. Seen by
-- functions alone.
create table kin (
    file_id bigint not null,
    other_id bigint not null,
    primary key (file_id, other_id)
);
create index kin_other on kin (other_id);

-- Who asks ---------------------------------------------------------------------------------------

-- Whoever may pass all policies anyway is asked for nothing here either.
create function is_superuser() returns boolean
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$ select rolsuper or rolbypassrls from pg_roles where rolname = session_user $$;

create function me() returns text
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select m.name from bough.member m
    where m.revoked_at is null and case when session_user = 'bough_web'
        then m.name = current_setting('bough.member', true)
        else m.name = session_user::text and m.role <> 'auditor' end
$$;

create function my_role() returns text
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$ select m.role from bough.member m where m.name = bough.me() $$;

create function my_machines() returns setof uuid
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$ select m.id from bough.machine m where m.owner = bough.me() or bough.is_superuser() $$;

create function my_projects() returns setof bigint
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select p.id from bough.project p where p.machine_id = any (array(select bough.my_machines()))
$$;

-- The folders of projects whose sessions one may read. An admin is not a reader.
create function readable() returns setof bigint
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    with asks as materialized (
        select bough.me() as name, bough.my_role() as role, bough.is_superuser() as everything
    )
    select p.id
    from asks, bough.project p join bough.machine m on m.id = p.machine_id
    where asks.everything or m.owner = asks.name or asks.role = 'auditor'
    or asks.role = 'member' and exists (
        select 1 from bough.share s
        where s.member = asks.name and s.identity = p.identity and s.level = 'read'
        and s.owner in ('*', m.owner))
$$;

-- The folders of projects of which one may know what was used, and when.
create function countable() returns setof bigint
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    with asks as materialized (
        select bough.me() as name, bough.my_role() as role, bough.is_superuser() as everything
    )
    select p.id
    from asks, bough.project p join bough.machine m on m.id = p.machine_id
    where asks.everything or m.owner = asks.name or asks.role in ('auditor', 'admin')
    or asks.role = 'member' and exists (
        select 1 from bough.share s
        where s.member = asks.name and s.identity = p.identity and s.owner in ('*', m.owner))
$$;

create function seen_machines() returns setof uuid
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select bough.my_machines()
    union
    select p.machine_id from bough.project p where p.id = any (array(select bough.countable()))
$$;

-- The number that a writer makes of some words: 63 bits of their hash.
create function number_of(variadic parts text[]) returns bigint
    language sql immutable parallel safe
    set search_path = pg_catalog, bough, pg_temp
as $$
    select (('x' || encode(substr(sha256(string_agg(convert_to(part, 'UTF8'), '\x00'::bytea
        order by number)), 1, 8), 'hex'))::bit(64)::bigint >> 1) & 9223372036854775807
    from unnest(parts) with ordinality as given(part, number)
$$;

-- A path of a machine, as it is there; null where it is none of it.
create function own_path(machine uuid, path text) returns text
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select substr(path, 1 + length(m.prefix)) from bough.machine m
    where m.id = machine and starts_with(path, m.prefix)
    and substr(path, 1 + length(m.prefix)) ~ '^(/|\\|[A-Za-z]:)'
    and m.id = any (array(select bough.my_machines()))
$$;

-- What stands before the paths of a machine: its name, made another where that is taken.
create function free_prefix(machine uuid, called text) returns text
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select case when exists (
        select 1 from bough.machine m where m.prefix = '//' || called and m.id <> machine)
    then '//' || called || '-' || substr(replace(machine::text, '-', ''), 1, 8)
    else '//' || called end
$$;

-- What one may know of files of which one may know the numbers.
create function counted_files() returns table (
    id bigint, machine_id uuid, path text, project_id bigint, session text, role text, agent text,
    agent_type text, agent_description text, deleted_at text, forked boolean, lines bigint,
    pushed timestamptz)
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    with read as materialized (select array(select bough.readable()) as projects)
    select f.id, f.machine_id, f.path, f.project_id, f.session, f.role, f.agent,
        case when f.project_id = any (read.projects) then f.agent_type end,
        case when f.project_id = any (read.projects) then f.agent_description end,
        f.deleted_at, s.forked_from is not null, f.lines, f.pushed
    from read, bough.file f left join bough.session s on s.file_id = f.id
    where f.project_id = any (array(select bough.countable()))
$$;

-- Words ------------------------------------------------------------------------------------------

-- The newest records, in what one may read, whose words match. A query stands for rows of words
-- of some kinds (a bit for each); of queries of one group any has to match, of all groups above
-- zero each, of those below zero none. Only numbers become part of a statement.
create function found(
    queries tsquery[], kinds integer[], groups integer[],
    newest bigint default null,
    before_moment text default null, before_file bigint default null,
    before_offset bigint default null,
    at_files bigint[] default null, at_offsets bigint[] default null)
    returns table (file_id bigint, "offset" bigint, moment text)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    asked integer;
    condition text;
    conditions text := '';
    allowed bigint[] := array(select bough.readable());
begin
    for asked, condition in
        select given.number, string_agg(format('w.v @@ ($1)[%s]', given.place)
            || case when kinds[given.place] & 127 = 127 then ''
                else format(' and (1 << w.kind) & ($2)[%s] <> 0', given.place) end, ' or ')
        from unnest(groups) with ordinality as given(number, place)
        group by given.number order by given.number desc
    loop
        if conditions = '' then
            if asked <= 0 then
                return;
            end if;
            conditions := format('(%s)', condition);
        else
            conditions := conditions || format(
                ' and %s exists (select 1 from bough.word o where o.file_id = w.file_id '
                'and o."offset" = w."offset" and (%s))',
                case when asked > 0 then '' else 'not' end, replace(condition, 'w.', 'o.'));
        end if;
    end loop;
    if conditions = '' then
        return;
    end if;
    if before_moment is not null then
        conditions := conditions || ' and (w.moment, w.file_id, w."offset") < ($4, $5, $6)';
    end if;
    if at_files is not null then
        conditions := conditions
            || ' and (w.file_id, w."offset") in (select * from unnest($7, $8))';
    end if;
    return query execute
        'select w.file_id, w."offset", w.moment from bough.word w where '
        || 'w.project_id = any ($3) and ' || conditions
        || ' group by w.moment, w.file_id, w."offset"'
        || ' order by w.moment desc, w.file_id desc, w."offset" desc limit $9'
        using queries, kinds, allowed, before_moment, before_file, before_offset,
            at_files, at_offsets, newest;
end
$$;

-- How well records that one may read match, by how often they have the words, and where.
create function word_scores(query tsquery, at_files bigint[], at_offsets bigint[])
    returns table (file_id bigint, "offset" bigint, score double precision)
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select w.file_id, w."offset", sum(ts_rank(w.v, query)
        * (array[4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.3])[w.kind + 1])
    from bough.word w
    join unnest(at_files, at_offsets) as place(file, start)
        on w.file_id = place.file and w."offset" = place.start
    where w.v @@ query and w.project_id = any (array(select bough.readable()))
    group by w.file_id, w."offset"
$$;

create function put_words(
    files bigint[], projects bigint[], offsets bigint[], moments text[], kinds integer[],
    parts integer[], vectors tsvector[]) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
begin
    if exists (
        select 1 from (
            select distinct given.file, given.project from unnest(files, projects)
                as given(file, project)) as given
        where not exists (
            select 1 from bough.file f
            where f.id = given.file and f.project_id = given.project
            and f.machine_id = any (array(select bough.my_machines()))))
    then
        raise insufficient_privilege using message = 'words belong to a file of one''s own';
    end if;
    insert into bough.word (file_id, project_id, "offset", moment, kind, part, v)
    select * from unnest(files, projects, offsets, moments, kinds, parts, vectors);
end
$$;

create function drop_words(file bigint, first bigint) returns void
    language sql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    delete from bough.word w where w.file_id = file and w."offset" >= first
    and w.project_id = any (array(select bough.my_projects()))
$$;

-- Bytes ------------------------------------------------------------------------------------------

create function frame_places(file bigint) returns table ("offset" bigint, length bigint)
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select f."offset", f.length from bough.frame f
    where f.file_id = file and f.project_id = any (array(select bough.readable()))
    order by f."offset"
$$;

-- The bytes of a file that one may read; that an auditor opened it is kept, once in a minute.
create function read_frames(file bigint, places bigint[])
    returns table ("offset" bigint, data bytea)
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
begin
    if bough.my_role() = 'auditor' and not exists (
        select 1 from bough.audit a
        where a.file_id = file and a.who = bough.me() and a.at > now() - interval '1 minute')
    then
        insert into bough.audit (who, what, on_what, owner, file_id)
        select bough.me(), 'opened', named.session, m.owner, file
        from (
            select f.session, f.machine_id from bough.file f where f.id = file
            union all
            select c.session, c.machine_id from bough.companion c where c.id = file
        ) as named
        join bough.machine m on m.id = named.machine_id;
    end if;
    return query select f."offset", f.data from bough.frame f
        where f.file_id = file and f."offset" = any (places)
        and f.project_id = any (array(select bough.readable()))
        order by f."offset";
end
$$;

-- Sums -------------------------------------------------------------------------------------------

create function mark_all_unsummed() returns void
    language sql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    insert into bough.unsummed (file_id, project_id, written_by)
    select id, project_id, gen_random_uuid() from bough.file
$$;

-- Sums count a call once for each person. These say, and keep, where others have it too.
create function note_kin(files bigint[]) returns void
    language sql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    delete from bough.kin k where k.file_id = any (files) and exists (
        select 1 from bough.file f
        where f.id = k.file_id and f.machine_id = any (array(select bough.my_machines())));
    insert into bough.kin (file_id, other_id)
    select distinct u.file_id, o.file_id
    from bough.usage u
    join bough.usage o on o.message_id = u.message_id and o.file_id <> u.file_id
    join bough.project pu on pu.id = u.project_id join bough.machine mu on mu.id = pu.machine_id
    join bough.project po on po.id = o.project_id join bough.machine mo on mo.id = po.machine_id
    where u.file_id = any (files) and mu.id = any (array(select bough.my_machines()))
    and mu.owner <> mo.owner
    on conflict do nothing
$$;

create function sees_kin() returns boolean
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    with seen as materialized (select array(select bough.countable()) as projects)
    select exists (
        select 1 from seen, bough.kin k
        join bough.file f on f.id = k.file_id join bough.file o on o.id = k.other_id
        where f.project_id = any (seen.projects) and o.project_id = any (seen.projects))
$$;

-- Shares -----------------------------------------------------------------------------------------

-- A member shares what is theirs; an admin, who reads nothing of it, what is anybody's.
create function share_project(project bigint, with_member text, at_level text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    asks text := coalesce(bough.me(), session_user::text);
    whose text := asks;
begin
    if bough.is_superuser() or bough.my_role() = 'admin' then
        whose := '*';
    elsif bough.my_role() is distinct from 'member' then
        raise insufficient_privilege using message = 'only members and admins share projects';
    end if;
    if not exists (
        select 1 from bough.project p join bough.machine m on m.id = p.machine_id
        where p.identity = project and (whose = '*' or m.owner = whose))
    then
        raise no_data_found using message = 'there is no such project';
    end if;
    if with_member = asks or not exists (
        select 1 from bough.member m
        where m.name = with_member and m.revoked_at is null and m.role = 'member')
    then
        raise no_data_found using message = 'there is no such member to share it with';
    end if;
    insert into bough.share as known (member, identity, owner, level, added_by)
    values (with_member, project, whose, at_level, asks)
    on conflict (member, identity, owner)
        do update set level = excluded.level, added_by = excluded.added_by, added = now();
    insert into bough.audit (who, what, on_what, owner)
    values (asks, format('shared (%s) with %s', at_level, with_member), project::text, whose);
end
$$;

create function unshare_project(project bigint, with_member text) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    asks text := coalesce(bough.me(), session_user::text);
    all_owners boolean := bough.is_superuser() or coalesce(bough.my_role() = 'admin', false);
    removed bigint;
begin
    delete from bough.share s
    where s.member = with_member and s.identity = project and (all_owners or s.owner = asks);
    get diagnostics removed = row_count;
    if removed > 0 then
        insert into bough.audit (who, what, on_what, owner)
        values (asks, format('no longer shared with %s', with_member), project::text,
            case when all_owners then '*' else asks end);
    end if;
    return removed;
end
$$;

-- Whose token it is: asked by the web server alone.
create function member_of_token(sha256 bytea) returns table (name text, role text)
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select m.name, m.role from bough.member m
    where m.token_sha256 = sha256 and m.revoked_at is null
$$;

-- Rights and policies ----------------------------------------------------------------------------

revoke all on schema bough from public;
revoke all on all tables in schema bough from public;
revoke all on all functions in schema bough from public;
grant usage on schema bough to bough_member, bough_guard;

do $$
declare
    operator text := quote_ident(current_user);
    named text;
    own_file constant text :=
        'exists (select 1 from bough.file f where f.id = %1$I.file_id'
        ' and f.project_id = %1$I.project_id'
        ' and f.machine_id = any (array(select bough.my_machines())))';
    own_companion constant text :=
        ' or exists (select 1 from bough.companion c where c.id = %1$I.file_id'
        ' and c.project_id = %1$I.project_id'
        ' and c.machine_id = any (array(select bough.my_machines())))';
    own_project constant text := 'project_id = any (array(select bough.my_projects()))';
    check_row text;
    seen text;
begin
    -- Of a file: what was said is for readers, what was used is for who may know numbers.
    foreach named in array array['session', 'conversation', 'record', 'frame', 'outline', 'summary',
        'call', 'result', 'touch', 'hook', 'agent_run', 'prompt', 'trouble', 'compaction', 'stop',
        'tie', 'usage', 'usage_sum', 'unsummed']
    loop
        seen := case when named in ('usage', 'usage_sum', 'unsummed') then 'countable'
            else 'readable' end;
        seen := format('project_id = any (array(select bough.%I()))', seen);
        if named = 'frame' then  -- an auditor's openings are kept: bytes come by read_frames
            seen := seen || ' and (select bough.my_role()) is distinct from ''auditor''';
        end if;
        -- A file that was just forgotten has its sums made once more: there are none then.
        check_row := case named when 'unsummed' then own_project
            when 'frame' then format(own_file || own_companion, named)
            else format(own_file, named) end;
        execute format('create policy seen on bough.%I for select to bough_member using (%s)',
            named, seen);
        execute format('create policy added on bough.%I for insert to bough_member '
            'with check (%s)', named, check_row);
        execute format('create policy changed on bough.%I for update to bough_member '
            'using (%s) with check (%s)', named, own_project, check_row);
        execute format('create policy removed on bough.%I for delete to bough_member using (%s)',
            named, own_project);
        execute format('grant select, insert, update, delete on bough.%I to bough_member', named);
    end loop;

    foreach named in array array['meta', 'member', 'machine', 'writing', 'project', 'share', 'file',
        'companion', 'audit', 'note', 'budget', 'session', 'conversation', 'record', 'frame',
        'outline', 'summary', 'call', 'result', 'touch', 'hook', 'agent_run', 'prompt', 'trouble',
        'compaction', 'stop', 'tie', 'usage', 'usage_sum', 'unsummed', 'kin']
    loop
        execute format('alter table bough.%I enable row level security', named);
        execute format('alter table bough.%I force row level security', named);
    end loop;

    -- The functions above see what they need; whoever keeps the database keeps its members.
    foreach named in array array['member', 'machine', 'project', 'share', 'file', 'companion',
        'session', 'frame', 'usage']
    loop
        execute format('create policy guard on bough.%I for select to bough_guard using (true)',
            named);
        execute format('grant select on bough.%I to bough_guard', named);
    end loop;
    foreach named in array array['share', 'audit', 'unsummed', 'kin'] loop
        execute format('create policy guard_writes on bough.%I to bough_guard using (true) '
            'with check (true)', named);
    end loop;
    foreach named in array array['meta', 'member', 'share', 'audit', 'budget'] loop
        execute format('create policy operator on bough.%I to %s using (true) with check (true)',
            named, operator);
    end loop;
end
$$;
grant select, insert, update, delete on share, kin to bough_guard;
grant select, insert on audit to bough_guard;
grant insert on unsummed to bough_guard;
grant select, insert, delete on word to bough_guard;

grant select on meta, machine, writing, project, share, file, companion, audit, note, budget
    to bough_member;
grant select (name, role, added, revoked_at) on member to bough_member;
grant insert, update, delete on machine, writing, project, file, companion, note, budget
    to bough_member;

create policy seen on meta for select to bough_member using (true);
create policy seen on member for select to bough_member
    using (name = (select bough.me()) or (select bough.my_role()) in ('admin', 'auditor'));
create policy seen on share for select to bough_member
    using (member = (select bough.me()) or owner = (select bough.me())
        or (select bough.my_role()) = 'admin');
create policy seen on audit for select to bough_member
    using (who = (select bough.me()) or owner = (select bough.me())
        or (select bough.my_role()) in ('admin', 'auditor'));

create policy seen on machine for select to bough_member
    using (owner = (select bough.me()) or id = any (array(select bough.seen_machines())));
create policy added on machine for insert to bough_member
    with check (owner = (select bough.me()) and prefix ~ '^//[^/:\\]+$');
create policy changed on machine for update to bough_member
    using (owner = (select bough.me()))
    with check (owner = (select bough.me()) and prefix ~ '^//[^/:\\]+$');

create policy own on writing to bough_member
    using (machine_id = any (array(select bough.my_machines())))
    with check (machine_id = any (array(select bough.my_machines())));

-- A row that is just being added has to be seen by who adds it, hence the machines.
create policy seen on project for select to bough_member
    using (id = any (array(select bough.countable()))
        or machine_id = any (array(select bough.my_machines())));
create policy added on project for insert to bough_member
    with check (machine_id = any (array(select bough.my_machines()))
        and id = bough.number_of('project', replace(machine_id::text, '-', ''),
            bough.own_path(machine_id, folder)));
create policy changed on project for update to bough_member
    using (machine_id = any (array(select bough.my_machines())))
    with check (machine_id = any (array(select bough.my_machines()))
        and id = bough.number_of('project', replace(machine_id::text, '-', ''),
            bough.own_path(machine_id, folder)));

create policy seen on file for select to bough_member
    using (project_id = any (array(select bough.readable()))
        or machine_id = any (array(select bough.my_machines())));
create policy added on file for insert to bough_member
    with check (machine_id = any (array(select bough.my_machines()))
        and project_id = any (array(select bough.my_projects()))
        and id = bough.number_of('file', replace(machine_id::text, '-', ''),
            bough.own_path(machine_id, path)));
create policy changed on file for update to bough_member
    using (machine_id = any (array(select bough.my_machines())))
    with check (machine_id = any (array(select bough.my_machines()))
        and project_id = any (array(select bough.my_projects()))
        and id = bough.number_of('file', replace(machine_id::text, '-', ''),
            bough.own_path(machine_id, path)));
create policy removed on file for delete to bough_member
    using (machine_id = any (array(select bough.my_machines())));

create policy seen on companion for select to bough_member
    using (project_id = any (array(select bough.readable()))
        or machine_id = any (array(select bough.my_machines())));
create policy added on companion for insert to bough_member
    with check (machine_id = any (array(select bough.my_machines()))
        and project_id = any (array(select bough.my_projects()))
        and id = bough.number_of('file', replace(machine_id::text, '-', ''),
            bough.own_path(machine_id, path)));
create policy changed on companion for update to bough_member
    using (machine_id = any (array(select bough.my_machines())))
    with check (machine_id = any (array(select bough.my_machines()))
        and project_id = any (array(select bough.my_projects()))
        and id = bough.number_of('file', replace(machine_id::text, '-', ''),
            bough.own_path(machine_id, path)));
create policy removed on companion for delete to bough_member
    using (machine_id = any (array(select bough.my_machines())));

create policy seen on note for select to bough_member
    using (author = (select bough.me()) or project_id = any (array(select bough.readable())));
create policy added on note for insert to bough_member
    with check (author = (select bough.me())
        and project_id = any (array(select bough.readable())));
create policy changed on note for update to bough_member
    using (author = (select bough.me()))
    with check (author = (select bough.me())
        and project_id = any (array(select bough.readable())));
create policy removed on note for delete to bough_member
    using (author = (select bough.me()));

create policy kept on budget to bough_member
    using ((select bough.my_role()) = 'admin')
    with check ((select bough.my_role()) = 'admin');

-- What the planner knows of a column shows in its estimates, whoever asks: so of what names
-- projects and sessions it knows nothing.
do $$
declare
    named text;
    column_name text;
begin
    for named, column_name in
        select c.relname, a.attname from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'bough'::regnamespace and c.relkind = 'r' and a.attnum > 0
        and not a.attisdropped
        and (c.relname in ('member', 'machine', 'project', 'share', 'audit', 'note', 'budget')
            or c.relname in ('file', 'session', 'conversation', 'companion')
                and a.atttypid = 'text'::regtype)
    loop
        execute format('alter table bough.%I alter column %I set statistics 0', named, column_name);
    end loop;
end
$$;

-- To belong to another role a function needs one's being of that role, and its right to create.
do $$
declare
    named regprocedure;
    operator text := current_user;
    was_member boolean;
begin
    was_member := pg_has_role(current_user, 'bough_guard', 'usage');
    if not was_member then
        execute format('grant bough_guard to %I', operator);
    end if;
    grant create on schema bough to bough_guard;
    for named in
        select p.oid::regprocedure from pg_proc p where p.pronamespace = 'bough'::regnamespace
    loop
        if named::text not in ('bough.mark_all_unsummed()', 'bough.member_of_token(bytea)',
            'mark_all_unsummed()', 'member_of_token(bytea)')
        then
            execute format('grant execute on function %s to bough_member, bough_guard', named);
        end if;
        execute format('alter function %s owner to bough_guard', named);
    end loop;
    execute format('grant execute on function bough.mark_all_unsummed() to %I', operator);
    if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('grant bough_member to %I', operator);
    end if;
    grant execute on function bough.member_of_token(bytea) to bough_web;
    revoke create on schema bough from bough_guard;
    if not was_member then
        execute format('revoke bough_guard from %I', operator);
    end if;
end
$$;
