-- oldest client: 8
-- What costs no more the more projects there are. A policy lists what one may read for each table
-- of a question, so a page of hits listed all projects ten times; and the server knows nothing of
-- how ids are spread (0007), so it joined every call with all projects before it looked who has it
-- too.

do $$
begin
    perform set_config('bough.was_guard',
        pg_has_role(current_user, 'bough_guard', 'usage')::text, true);
    if not current_setting('bough.was_guard')::boolean then
        execute format('grant bough_guard to %I', current_user);
    end if;
    grant create on schema bough to bough_guard;
end
$$;

-- Sums count a call once for each person. These say, and keep, where others have it too.
create or replace function note_kin(files bigint[]) returns void
    language sql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    delete from bough.kin k where k.file_id = any (files) and exists (
        select 1 from bough.file f
        where f.id = k.file_id and f.machine_id = any (array(select bough.my_machines())));
    insert into bough.kin (file_id, other_id)
    with owners as materialized (
        select p.id, m.id as machine_id, m.owner
        from bough.project p join bough.machine m on m.id = p.machine_id
    ),
    own as materialized (
        select distinct u.message_id, u.file_id, u.project_id from bough.usage u
        where u.file_id = any (files) and u.message_id is not null
    ),
    pairs as materialized (
        select distinct own.file_id, own.project_id, o.file_id as other_id,
            o.project_id as other_project
        from own cross join lateral (
            select u.file_id, u.project_id from bough.usage u
            where u.message_id = own.message_id and u.file_id <> own.file_id offset 0
        ) o
    )
    select distinct p.file_id, p.other_id
    from pairs p join owners mine on mine.id = p.project_id
    join owners theirs on theirs.id = p.other_project
    where mine.owner <> theirs.owner
    and mine.machine_id = any (array(select bough.my_machines()))
    on conflict do nothing
$$;

-- Searching --------------------------------------------------------------------------------------

-- The newest records, in what one may read, whose words match. A query stands for rows of words
-- of some kinds (a bit for each); of queries of one group any has to match, of all groups above
-- zero each, of those below zero none.
--
-- Where only the newest are asked for, the newest rows are looked at first, which suffices for a
-- common word. How many of them match says how far that is worth going on with; where none does, as
-- the newest rows are often of few sessions, the index says whether the word is common. Then the
-- index is asked for all. It knows nothing of phrases: of the records that have all words of one, the newest
-- are looked at until there are enough.
create or replace function found(
    queries tsquery[], kinds integer[], groups integer[],
    newest bigint default null,
    before_moment text default null, before_file bigint default null,
    before_offset bigint default null,
    at_files bigint[] default null, at_offsets bigint[] default null)
    returns table (file_id bigint, "offset" bigint, moment text)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    set work_mem = '64MB' set jit = off set enable_seqscan = on
as $$
declare
    plan record;
    allowed bigint[] := array(select bough.readable());
    before text := '';
    walk text;
    reach bigint := 400;
    seen bigint;
    files bigint[];
    offsets bigint[];
    moments text[];
    number bigint;
    all_rows double precision;
    order_by constant text := 'order by w.moment desc, w.file_id desc, w."offset" desc';
begin
    plan := bough.plan_words(queries, kinds, groups,
        bough.choose_group(queries, kinds, groups, allowed));
    if plan.by_index is null then
        return;
    end if;
    if before_moment is not null then
        before := ' and (w.moment, w.file_id, w."offset") < ($5, $6, $7)';
    end if;
    if at_files is not null then
        return query execute
            'select w.file_id, w."offset", w.moment from bough.word w'
            ' where (w.file_id, w."offset") in (select * from unnest($8, $9))'
            ' and w.project_id = any ($4) and ' || plan.by_words || plan.others || before
            || ' group by w.moment, w.file_id, w."offset" ' || order_by || ' limit $10'
            using plan.indexed, plan.needles, kinds, allowed, before_moment, before_file,
                before_offset, at_files, at_offsets, newest;
        return;
    end if;
    walk := 'with near as materialized (select w.* from bough.word w where true' || before || ' '
        || order_by || ' limit $9) select array_agg(n.file_id), array_agg(n."offset"),'
        ' array_agg(n.moment), count(*), (select count(*) from near) from ('
        'select w.file_id, w."offset", w.moment from near w where w.project_id = any ($4) and '
        || plan.by_words || plan.others || ' group by w.moment, w.file_id, w."offset" ' || order_by
        || ' limit $8) n';
    while newest is not null loop
        execute walk into files, offsets, moments, number, seen
            using plan.indexed, plan.needles, kinds, allowed, before_moment, before_file,
                before_offset, newest, reach;
        if number >= newest or seen < reach then
            return query select * from unnest(files, offsets, moments);
            return;
        end if;
        if number = 0 and reach = 400 and not plan.has_phrase then
            perform set_config('enable_seqscan', 'off', true);
            execute 'select count(*) from (select from bough.word w where ' || plan.by_index
                || ' limit 5000) n' into seen using plan.indexed, plan.needles, kinds;
            perform set_config('enable_seqscan', 'on', true);
            exit when seen < 5000;
            reach := 4000;
            continue;
        end if;
        exit when reach > 400 or number = 0;
        -- Looking at a row takes as long as finding six by the index.
        select sum(greatest(c.reltuples, 0)) into all_rows
        from pg_partition_tree('bough.word') part join pg_class c on c.oid = part.relid
        where part.isleaf;
        seen := 400 * newest / number;
        exit when seen > case when plan.has_phrase then 12000 else 20000 end
            or not plan.has_phrase and seen * 6 > all_rows * number / 400;
        reach := seen + seen / 2;
    end loop;
    -- Else a vector might be made of every row. Not before: functions that are called obey it too.
    perform set_config('enable_seqscan', 'off', true);
    if plan.has_phrase and newest is not null then
        -- Each look is a step of its own, after the order: no text is read that is not needed.
        return query execute
            'with hit as materialized (select distinct w.moment, w.file_id, w."offset"'
            ' from bough.word w where w.project_id = any ($4) and ' || plan.by_index || before
            || ') select n.file_id, n."offset", n.moment from ('
            'select w.* from hit w ' || order_by || ' offset 0) n'
            ' where (select true from bough.word w where w.file_id = n.file_id'
            ' and w."offset" = n."offset" and ' || plan.by_words || plan.others
            || ' limit 1) limit $8'
            using plan.indexed, plan.needles, kinds, allowed, before_moment, before_file,
                before_offset, newest;
        return;
    end if;
    -- A step of its own: else rows might be walked by time, and a vector made of each.
    return query execute
        'with hit as materialized (select w.file_id, w."offset", w.moment from bough.word w'
        ' where w.project_id = any ($4) and ' || plan.by_index
        || case when plan.has_phrase then ' and ' || plan.by_words else '' end
        || plan.others || before || ') select w.file_id, w."offset", w.moment from hit w'
        ' group by w.moment, w.file_id, w."offset"'
        || case when newest is null then '' else ' ' || order_by || ' limit $8' end
        using plan.indexed, plan.needles, kinds, allowed, before_moment, before_file,
            before_offset, newest;
end
$$;

-- How many records, in what one may read, match, and in how many sessions: up to `most`, and of
-- phrases as far as a quarter as many rows that have all their words tell. `is_all` says that
-- these are all.
create or replace function count_found(
    queries tsquery[], kinds integer[], groups integer[], most bigint,
    out records bigint, out sessions bigint, out is_all boolean)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    set work_mem = '64MB' set jit = off set enable_seqscan = on
as $$
declare
    plan record;
    allowed bigint[] := array(select bough.readable());
    reach bigint;
    seen bigint;
    looked constant bigint := most / 4;
begin
    records := 0;
    sessions := 0;
    is_all := true;
    plan := bough.plan_words(queries, kinds, groups,
        bough.choose_group(queries, kinds, groups, allowed));
    if plan.by_index is null then
        return;
    end if;
    perform set_config('enable_seqscan', 'off', true);
    if plan.has_phrase then
        execute
            'with near as materialized (select w.* from bough.word w where w.project_id = any ($4)'
            ' and ' || plan.by_index || ' limit $5)'
            ' select (select count(*) from near), count(*), count(distinct f.session)'
            ' from (select distinct w.file_id, w."offset" from near w where ' || plan.by_words
            || plan.others || ') n join bough.file f on f.id = n.file_id'
            into seen, records, sessions
            using plan.indexed, plan.needles, kinds, allowed, looked;
        is_all := seen < looked;
        return;
    end if;
    -- A record has at most seven kinds of words, and a word is seldom in more than one.
    foreach reach in array array[most + most / 4, 8 * most] loop
        execute
            'with hit as materialized (select w.file_id, w."offset" from bough.word w'
            ' where w.project_id = any ($4) and ' || plan.by_index || plan.others || ' limit $5),'
            ' n as materialized (select distinct file_id, "offset" from hit)'
            ' select (select count(*) from hit), (select count(*) from n),'
            ' case when (select count(*) from n) <= $6 then (select count(distinct f.session)'
            ' from n join bough.file f on f.id = n.file_id) end'
            into seen, records, sessions
            using plan.indexed, plan.needles, kinds, allowed, reach, most;
        is_all := seen < reach;
        exit when is_all or records > most;
    end loop;
    is_all := is_all and records <= most;
    records := least(records, most);
end
$$;

create policy guard on record for select to bough_guard using (true);
create policy guard on summary for select to bough_guard using (true);
grant select on record, summary to bough_guard;

-- What is known of some records that one may read, in the order in which they were named.
create function hit_rows(files bigint[], offsets bigint[])
    returns table (file_id bigint, path text, "offset" bigint, length integer, line integer,
        kind text, uuid text, "timestamp" text, model text, tool text, failed smallint,
        branch integer, active smallint, role text, session text, agent text, agent_type text,
        agent_description text, dir text, name text, worktree_of text, title text,
        title_source text, session_file bigint)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
#variable_conflict use_column
declare
    allowed bigint[] := array(select bough.readable());
begin
    return query select f.id, f.path, x."offset", x.length, x.line, x.kind, x.uuid, x.timestamp,
            x.model, x.tool, x.failed, x.branch, x.active, f.role, f.session, f.agent,
            f.agent_type, f.agent_description, p.dir, p.name, p.worktree_of, s.title,
            s.title_source, s.file_id
        from unnest(files, offsets) with ordinality as asked(file, place, number)
        cross join lateral (
            select * from bough.record r
            where r.file_id = asked.file and r."offset" = asked.place offset 0) x
        cross join lateral (select * from bough.file where id = asked.file offset 0) f
        cross join lateral (select * from bough.project where id = f.project_id offset 0) p
        left join lateral (select * from bough.file where session = f.session offset 0) own
            on own.role = 'session' and own.project_id = f.project_id
        left join lateral (
            select * from bough.session where file_id = own.id offset 0) s on true
        where x.project_id = any (allowed) and f.project_id = any (allowed)
        order by asked.number;
end
$$;

-- Where some bytes are that one may read.
create function files_at(paths text[])
    returns table (path text, id bigint, size bigint, mtime_ns bigint)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
#variable_conflict use_column
declare
    allowed bigint[] := array(select bough.readable());
begin
    return query select f.path, f.id, f.size, f.mtime_ns
        from (select distinct unnest(paths) as path) asked
        cross join lateral (select * from bough.file where path = asked.path offset 0) f
        where f.deleted_at is null and f.project_id = any (allowed);
end
$$;

-- What other files of a project call some sessions that one may read.
create function titles_from_others(files bigint[])
    returns table (file_id bigint, title text)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
#variable_conflict use_column
declare
    allowed bigint[] := array(select bough.readable());
begin
    return query
        with own as materialized (
            select id, project_id from bough.file
            where id = any (files) and project_id = any (allowed)
        ),
        told as materialized (
            select m.leaf_uuid, m.text, m.file_id as told_by, m."offset", f.path, f.project_id
            from (select distinct project_id from own) asked
            cross join lateral (
                select * from bough.file where project_id = asked.project_id offset 0) f
            cross join lateral (select * from bough.summary where file_id = f.id offset 0) m
        ),
        found as materialized (
            select r.file_id, told.*
            from told cross join lateral (
                select file_id from bough.record where uuid = told.leaf_uuid offset 0) r
        )
        select own.id, found.text from found join own on own.id = found.file_id
            and own.project_id = found.project_id and own.id <> found.told_by
        order by found.path, found."offset";
end
$$;

-- The files, and what lies beside them, of some sessions that one sent oneself from any machine.
create function own_files(sessions text[]) returns setof bigint
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
#variable_conflict use_column
declare
    mine uuid[] := array(select bough.my_machines());
begin
    return query
        select f.id from (select distinct unnest(sessions) as name) asked
        cross join lateral (select * from bough.file where session = asked.name offset 0) f
        where f.machine_id = any (mine);
    return query
        select c.id from (select distinct unnest(sessions) as name) asked
        cross join lateral (select * from bough.companion where session = asked.name offset 0) c
        where c.machine_id = any (mine);
end
$$;

revoke all on function hit_rows(bigint[], bigint[]), files_at(text[]),
    titles_from_others(bigint[]), own_files(text[]) from public;
grant execute on function hit_rows(bigint[], bigint[]), files_at(text[]),
    titles_from_others(bigint[]), own_files(text[]) to bough_member, bough_guard;
alter function hit_rows(bigint[], bigint[]) owner to bough_guard;
alter function files_at(text[]) owner to bough_guard;
alter function titles_from_others(bigint[]) owner to bough_guard;
alter function own_files(text[]) owner to bough_guard;

do $$
begin
    revoke create on schema bough from bough_guard;
    if not current_setting('bough.was_guard')::boolean then
        execute format('revoke bough_guard from %I', current_user);
    end if;
end
$$;
