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

-- Beside the words of a row the index has its month, its ten days and its day, written as no word
-- is: so it is asked for a stretch of time, and nobody looks at all places of a common word.
drop index word_v;
create index word_v on word using gin (array_to_tsvector(string_to_array(words, ' ')
    || array['@' || substr(moment, 1, 7), '@' || substr(moment, 1, 9),
    '@' || substr(moment, 1, 10)]))
    with (fastupdate = off);

-- The folders of projects whose sessions one may read. An admin is not a reader. For the functions
-- here alone; they look at it as bough_guard, who sees all folders.
create view readable_project with (security_invoker = true) as
    with asks as materialized (
        select bough.me() as name, bough.my_role() as role, bough.is_superuser() as everything
    )
    select p.id
    from asks, bough.project p join bough.machine m on m.id = p.machine_id
    where asks.everything or m.owner = asks.name or asks.role = 'auditor'
    or asks.role = 'member' and exists (
        select 1 from bough.share s
        where s.member = asks.name and s.identity = p.identity and s.level = 'read'
        and s.owner in ('*', m.owner));
revoke all on readable_project from public;
grant select on readable_project to bough_guard;

create or replace function readable() returns setof bigint
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$ select id from bough.readable_project $$;

-- Of some folders those whose sessions one may read: the others are not looked at.
create function readable_among(projects bigint[]) returns setof bigint
    language sql stable parallel safe security definer
    set search_path = pg_catalog, bough, pg_temp
as $$ select id from bough.readable_project where id = any (projects) $$;

-- How a call of found and of count_found is asked: the queries for the index, which knows nothing
-- of phrases; what has to stand in the words; the condition on rows w that the first group makes
-- for the index (`first` where it is named), and the one for the words of a row, which alone tells
-- phrases; and what all other groups make. Only numbers become part of a statement.
--
-- The index is asked for $1, which are those queries, narrowed to a time or not; the words of a row
-- are compared with the needles, $2, or with the queries, $5. $3 are kinds, $4 who may be read.
create or replace function plan_words(
    queries tsquery[], kinds integer[], groups integer[], first integer,
    out indexed tsquery[], out needles text[], out by_index text, out by_words text,
    out others text, out has_phrase boolean)
    language plpgsql immutable
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    place integer;
    asked integer;
    own text[];
    in_words text;
    in_index text;
    in_kinds text;
    by_place text[] := '{}';
    index_by_place text[] := '{}';
    kinds_by_place text[] := '{}';
    is_of_same_kinds boolean;
    condition text;
begin
    indexed := '{}';
    needles := '{}';
    others := '';
    has_phrase := false;
    for place in 1 .. coalesce(array_length(queries, 1), 0) loop
        own := bough.needles_of(queries[place]);
        in_index := format('array_to_tsvector(string_to_array(w.words, '' '') '
            '|| array[''@'' || substr(w.moment, 1, 7), ''@'' || substr(w.moment, 1, 9), '
            '''@'' || substr(w.moment, 1, 10)]) @@ ($1)[%s]', place);
        in_words := format(
            'array_to_tsvector(string_to_array(w.words, '' '')) @@ ($5)[%s]', place);
        indexed := indexed || queries[place];
        if own is not null then
            -- In one look: for each the text is unpacked anew.
            select string_agg(format('strpos('' '' || w.words || '' '', ($2)[%s]) > 0',
                coalesce(array_length(needles, 1), 0) + number), ' or ')
            into in_words from generate_series(1, array_length(own, 1)) number;
            needles := needles || own;
            if queries[place]::text like '% <-> %' then
                has_phrase := true;
                indexed[place] := replace(queries[place]::text, ' <-> ', ' & ')::tsquery;
            end if;
        end if;
        in_kinds := case when kinds[place] & 127 = 127 then ''
            else format(' and (1 << w.kind) & ($3)[%s] <> 0', place) end;
        by_place := by_place || format('((%s)%s)', in_words, in_kinds);
        index_by_place := index_by_place || in_index;
        kinds_by_place := kinds_by_place || in_kinds;
    end loop;
    for asked in
        select number from (select distinct number from unnest(groups) number) given
        order by number = first desc, number desc
    loop
        select string_agg(by_place[given.place], ' or '),
            string_agg(index_by_place[given.place], ' or '), min(kinds_by_place[given.place]),
            min(kinds[given.place]) = max(kinds[given.place])
        into condition, in_index, in_kinds, is_of_same_kinds
        from unnest(groups) with ordinality as given(number, place) where given.number = asked;
        if by_index is null then
            exit when asked <= 0;
            -- The index is asked for nothing else: what it does not answer by itself would be asked
            -- again of each row, by a vector that is made of it.
            by_words := format('(%s)', condition);
            by_index := format('(%s)', in_index)
                || case when is_of_same_kinds then in_kinds else ' and ' || by_words end;
        else
            others := others || format(
                ' and %s exists (select 1 from bough.word o where o.file_id = w.file_id '
                'and o."offset" = w."offset" and (%s))',
                case when asked > 0 then '' else 'not' end, replace(condition, 'w.', 'o.'));
        end if;
    end loop;
end
$$;

-- The condition that a row w is in what one may read. Not `= any`: the planner would look at each
-- project, for as long as a rare word takes ten times over. `is true` keeps it from a join.
create function write_allowed() returns text
    language sql immutable
    set search_path = pg_catalog, bough, pg_temp
as $$ select '(w.project_id in (select unnest($4))) is true' $$;

-- The group by which records are found where all of several have to match: the rarest among what
-- one may read. For the functions here alone.
create or replace function choose_group(
    queries tsquery[], kinds integer[], groups integer[], allowed bigint[]) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    set work_mem = '64MB' set jit = off set enable_seqscan = off
as $$
declare
    plan record;
    asked integer;
    number bigint;
    chosen integer;
    least bigint;
begin
    if (select count(distinct one) < 2 from unnest(groups) one where one > 0) then
        return null;
    end if;
    for asked in select distinct one from unnest(groups) one where one > 0 order by one loop
        plan := bough.plan_words(queries, kinds, groups, asked);
        execute 'select count(*) from (select 1 from bough.word w'
            ' where ' || bough.write_allowed() || ' and ' || plan.by_index || ' limit 3000) hit'
            into number using plan.indexed, plan.needles, kinds, allowed, plan.indexed;
        if least is null or number < least then
            least := number;
            chosen := asked;
        end if;
        exit when least < 100;
    end loop;
    return chosen;
end
$$;

-- The newest times before a moment at which there are words, so many at most: days for a width of
-- ten, ten days for nine, months for seven. As queries, and where the oldest begins; null where
-- there are none.
create function times_before(
    below text, width integer, most integer, out times tsquery[], out lowest text)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    next text;
begin
    lowest := below;
    for number in 1 .. most loop
        if lowest is null then
            select w.moment into next from bough.word w order by w.moment desc limit 1;
        else
            select w.moment into next from bough.word w where w.moment < lowest
            order by w.moment desc limit 1;
        end if;
        exit when next is null;
        lowest := substr(next, 1, width);
        times := times || format('''@%s''',
            replace(replace(lowest, '\', '\\'), '''', ''''''))::tsquery;
    end loop;
end
$$;

-- Queries, narrowed to any of some times.
create function narrow_queries(queries tsquery[], times tsquery[]) returns tsquery[]
    language plpgsql immutable
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    any_time tsquery := times[1];
    narrowed tsquery[] := '{}';
    one tsquery;
begin
    foreach one in array times[2:] loop
        any_time := any_time || one;
    end loop;
    foreach one in array queries loop
        -- With nothing, all would be found.
        narrowed := narrowed || case when numnode(one) > 0 then one && any_time else one end;
    end loop;
    return narrowed;
end
$$;

create policy guard on dialect for select to bough_guard using (true);
grant select on dialect to bough_guard;

-- A condition for the index, narrowed to the time of a row t.
create function narrow_each(condition text) returns text
    language sql immutable
    set search_path = pg_catalog, bough, pg_temp
as $$
    select regexp_replace(condition, '\(\$1\)\[(\d+)\]', '(($1)[\1] && t.one)', 'g')
$$;

-- Whether the index takes several words at once, as `team migrate` found.
create function has_times() returns boolean
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select not exists (
        select 1 from bough.dialect where name in ('gin_and', 'gin_or') and not works)
$$;

-- What `found` gives, in what is allowed; for the functions here alone.
--
-- Where only the newest are asked for, the index is asked for the two newest days, then for eight
-- more, three tens of days, a month and three, until there are enough, and then for all that is
-- older. Where so many rows of the two days match that to put them in order would take longer, rows
-- are looked at one after the other. The index knows nothing of phrases: of the records of a time
-- that have all words of one, the newest are looked at until there are enough.
create function found_among(
    allowed bigint[], queries tsquery[], kinds integer[], groups integer[], first integer,
    newest bigint, before_moment text, before_file bigint, before_offset bigint)
    returns table (file_id bigint, "offset" bigint, moment text)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    -- Else a vector might be made of every row.
    set work_mem = '64MB' set jit = off set enable_seqscan = off
as $$
declare
    plan record;
    narrowed tsquery[];
    times tsquery[];
    before text := '';
    below text := before_moment || chr(1);
    lowest text;
    step integer := 0;
    has_times constant boolean := newest is not null and bough.has_times();
    dense constant bigint := greatest(5000, 2 * newest);
    reach bigint := 400;
    seen bigint;
    files bigint[];
    offsets bigint[];
    moments text[];
    number bigint;
    missing bigint := newest;
    rows text;
    order_by constant text := 'order by w.moment desc, w.file_id desc, w."offset" desc';
begin
    plan := bough.plan_words(queries, kinds, groups, first);
    if plan.by_index is null then
        return;
    end if;
    if before_moment is not null then
        before := ' and ((w.moment, w.file_id, w."offset") < ($6, $7, $8)) is true';
    end if;
    -- By the index alone: rows that are walked by time are made vectors of, each of them.
    rows := ' from bough.word w where ' || plan.by_index || ' and ' || bough.write_allowed()
        || before || ' and (w.moment < $10) is not false';
    if plan.has_phrase and newest is not null then
        -- Each look is a step of its own, after the order: no text is read that is not needed.
        rows := 'with hit as materialized (select w.moment, w.file_id, w."offset", w.kind, w.part'
            || rows || ') select distinct on (n.moment, n.file_id, n."offset")'
            ' n.file_id, n."offset", n.moment from (select w.* from hit w ' || order_by
            || ' offset 0) n where (select true from bough.word w where w.file_id = n.file_id'
            ' and w."offset" = n."offset" and w.kind = n.kind and w.part = n.part and '
            || plan.by_words || plan.others || ')'
            ' order by n.moment desc, n.file_id desc, n."offset" desc limit $9';
    else
        rows := 'with hit as materialized (select w.moment, w.file_id, w."offset"' || rows
            || case when plan.has_phrase then ' and ' || plan.by_words else '' end || plan.others
            || ') select n.file_id, n."offset", n.moment from (select distinct w.* from hit w'
            || case when newest is null then '' else ' ' || order_by end || ') n limit $9';
    end if;
    while step < 5 and has_times loop
        step := step + 1;
        select t.times, t.lowest into times, lowest from bough.times_before(
            below, (array[10, 10, 9, 7, 7])[step], (array[2, 8, 3, 1, 3])[step]) t;
        if times is null then
            return;
        end if;
        narrowed := bough.narrow_queries(plan.indexed, times);
        if step > 1 or plan.has_phrase then
            -- What is of the same month, or the same ten days, may have been found before.
            return query execute rows
                using narrowed, plan.needles, kinds, allowed, plan.indexed, before_moment,
                    before_file, before_offset, missing, case when step > 1 then below end;
            get diagnostics number = row_count;
        else
            execute replace(rows, ') select n.', ' limit $11), page as materialized (select n.')
                || ') select array_agg(file_id), array_agg("offset"), array_agg(moment), count(*),'
                ' (select count(*) from hit) from page'
                into files, offsets, moments, number, seen
                using narrowed, plan.needles, kinds, allowed, plan.indexed, before_moment,
                    before_file, before_offset, missing, null::text, dense;
            exit when seen = dense;
            return query select * from unnest(files, offsets, moments);
        end if;
        missing := missing - number;
        if missing <= 0 then
            return;
        end if;
        below := lowest;
    end loop;
    while newest is not null and (step = 1 or not has_times and reach = 400) loop
        execute 'with near as materialized (select w.* from bough.word w where true'
            || replace(before, ' is true', '') || ' ' || order_by || ' limit $10)'
            ' select array_agg(n.file_id), array_agg(n."offset"), array_agg(n.moment), count(*),'
            ' (select count(*) from near) from (select distinct w.moment, w.file_id, w."offset"'
            ' from near w where ' || bough.write_allowed() || ' and ' || plan.by_words
            || plan.others || ' ' || order_by || ' limit $9) n'
            into files, offsets, moments, number, seen
            using narrowed, plan.needles, kinds, allowed, plan.indexed, before_moment,
                before_file, before_offset, newest, reach;
        if number >= newest or seen < reach then
            return query select * from unnest(files, offsets, moments);
            return;
        end if;
        reach := 4 * reach;
    end loop;
    return query execute rows
        using plan.indexed, plan.needles, kinds, allowed, plan.indexed, before_moment,
            before_file, before_offset, missing, case when step > 0 then below end;
end
$$;

-- What `count_found` gives, in what is allowed; for the functions here alone. `newest` and `since`
-- say how far one had to go back for so many, where that is known: of a common word not all places
-- are looked at.
create function count_among(
    allowed bigint[], queries tsquery[], kinds integer[], groups integer[], first integer,
    most bigint, newest bigint, since text,
    out records bigint, out sessions bigint, out is_all boolean)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    set work_mem = '64MB' set jit = off set enable_seqscan = off
as $$
declare
    plan record;
    all_rows double precision;
    reach bigint;
    seen bigint;
    times tsquery[];
    lowest text;
    looked constant bigint := most / 4;
    -- Each file is looked up once: a join might read all there are.
    by_session constant text := '(select count(distinct f.session)'
        ' from (select distinct file_id from n) one cross join lateral ('
        'select session from bough.file where id = one.file_id offset 0) f)';
begin
    records := 0;
    sessions := 0;
    is_all := true;
    plan := bough.plan_words(queries, kinds, groups, first);
    if plan.by_index is null then
        return;
    end if;
    if plan.has_phrase then
        execute
            'with near as materialized (select w.* from bough.word w where ' || plan.by_index
            || ' and ' || bough.write_allowed() || ' limit $6),'
            ' n as materialized (select distinct w.file_id, w."offset" from ('
            'select w.* from near w limit case when (select count(*) from near) < $6 then $6'
            ' else $6 / 5 end) w where ' || plan.by_words || plan.others || ')'
            ' select (select count(*) from near), (select count(*) from n), ' || by_session
            into seen, records, sessions
            using plan.indexed, plan.needles, kinds, allowed, plan.indexed, looked;
        is_all := seen < looked;
        return;
    end if;
    if 0 <> all (select numnode(one) from unnest(plan.indexed) one) and bough.has_times() then
        if newest is null then
            select count(*), min(f.moment) into newest, since from bough.found_among(
                allowed, queries, kinds, groups, first, 20, null, null, null) f;
        end if;
        select sum(greatest(c.reltuples, 0)) into all_rows from pg_class c
        where c.relkind = 'r' and (c.oid = 'bough.word'::regclass or c.oid in (
            select inhrelid from pg_inherits where inhparent = 'bough.word'::regclass));
        -- As many rows as there are among so many hits where fifteen times the most match.
        reach := newest * all_rows / (15 * greatest(most, 1));
        select w.moment into lowest from bough.word w order by w.moment desc offset reach limit 1;
        if since > lowest then
            select t.times into times from bough.times_before(null, 7, 24) t;
            foreach reach in array array[7 * most / 5, 3 * most] loop
                execute
                    'with hit as materialized (select w.file_id, w."offset"'
                    ' from unnest($6) t(one) cross join lateral (select w.file_id, w."offset"'
                    ' from bough.word w where ' || bough.narrow_each(plan.by_index)
                    || ' and ' || bough.write_allowed() || plan.others || ' offset 0) w limit $7)'
                    ' select (select count(*) from hit), count(*)'
                    ' from (select distinct file_id, "offset" from hit) n'
                    into seen, records
                    using plan.indexed, plan.needles, kinds, allowed, plan.indexed, times, reach;
                if records > most then
                    records := most;
                    sessions := null;
                    is_all := false;
                    return;
                end if;
                exit when seen < reach;
            end loop;
        end if;
    end if;
    -- A record has seven kinds of words, and parts of each; few have a word in more than one.
    foreach reach in array array[7 * most / 5, 3 * most, 8 * most] loop
        execute
            'with hit as materialized (select w.file_id, w."offset" from bough.word w'
            ' where ' || plan.by_index || ' and ' || bough.write_allowed() || plan.others
            || ' limit $6),'
            ' n as materialized (select distinct file_id, "offset" from hit)'
            ' select (select count(*) from hit), (select count(*) from n),'
            ' case when (select count(*) from n) <= $7 then ' || by_session || ' end'
            into seen, records, sessions
            using plan.indexed, plan.needles, kinds, allowed, plan.indexed, reach, most;
        is_all := seen < reach;
        exit when is_all or records > most;
    end loop;
    is_all := is_all and records <= most;
    records := least(records, most);
end
$$;

-- The newest records, in what one may read, whose words match. A query stands for rows of words
-- of some kinds (a bit for each); of queries of one group any has to match, of all groups above
-- zero each, of those below zero none.
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
#variable_conflict use_column
declare
    plan record;
    allowed bigint[] := array(select bough.readable());
    -- Of places that are named it is the same by which group one begins.
    first constant integer := case when at_files is null
        then bough.choose_group(queries, kinds, groups, allowed) end;
begin
    if at_files is null then
        return query select * from bough.found_among(allowed, queries, kinds, groups, first,
            newest, before_moment, before_file, before_offset);
        return;
    end if;
    plan := bough.plan_words(queries, kinds, groups, first);
    if plan.by_index is null then
        return;
    end if;
    return query execute
        'select w.file_id, w."offset", w.moment from bough.word w'
        ' where (w.file_id, w."offset") in (select * from unnest($9, $10))'
        ' and ' || bough.write_allowed() || ' and ' || plan.by_words || plan.others
        || case when before_moment is null then ''
            else ' and (w.moment, w.file_id, w."offset") < ($6, $7, $8)' end
        || ' group by w.moment, w.file_id, w."offset"'
        ' order by w.moment desc, w.file_id desc, w."offset" desc limit $11'
        using plan.indexed, plan.needles, kinds, allowed, plan.indexed, before_moment,
            before_file, before_offset, at_files, at_offsets, newest;
end
$$;

-- How many records, in what one may read, match, and in how many sessions: up to `most`, and of
-- phrases where there are fewer rows that have all their words than a quarter of that; where there
-- are more, what a fifth of those tell. `is_all` says that these are all.
create or replace function count_found(
    queries tsquery[], kinds integer[], groups integer[], most bigint,
    out records bigint, out sessions bigint, out is_all boolean)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    set work_mem = '64MB' set jit = off set enable_seqscan = on
as $$
declare
    allowed bigint[] := array(select bough.readable());
begin
    select c.records, c.sessions, c.is_all into records, sessions, is_all
    from bough.count_among(allowed, queries, kinds, groups,
        bough.choose_group(queries, kinds, groups, allowed), most, null, null) c;
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
    allowed bigint[] := array(select bough.readable_among(array(
        select distinct project_id from bough.file where id = any (files))));
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
begin
    return query
        with there as materialized (
            select f.path, f.id, f.size, f.mtime_ns, f.project_id
            from (select distinct unnest(paths) as path) asked
            cross join lateral (select * from bough.file where path = asked.path offset 0) f
            where f.deleted_at is null
        )
        select t.path, t.id, t.size, t.mtime_ns from there t
        where t.project_id in (
            select bough.readable_among(array(select distinct project_id from there)));
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
    allowed bigint[] := array(select bough.readable_among(array(
        select distinct project_id from bough.file where id = any (files))));
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

-- A page of `found`, with what is known of its records, and what `count_found` says of all: in one
-- question, as each has a price of its own. Where all are on a first page, nothing is counted.
create function found_page(
    queries tsquery[], kinds integer[], groups integer[], newest bigint, most bigint,
    before_moment text default null, before_file bigint default null,
    before_offset bigint default null)
    returns table (found_file bigint, found_offset bigint, moment text, records bigint,
        sessions bigint, is_all boolean, file_id bigint, path text, "offset" bigint,
        length integer, line integer, kind text, uuid text, "timestamp" text, model text,
        tool text, failed smallint, branch integer, active smallint, role text, session text,
        agent text, agent_type text, agent_description text, dir text, name text,
        worktree_of text, title text, title_source text, session_file bigint)
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    set work_mem = '64MB' set jit = off set enable_seqscan = on
as $$
#variable_conflict use_column
declare
    allowed bigint[] := array(select bough.readable());
    first constant integer := bough.choose_group(queries, kinds, groups, allowed);
    files bigint[];
    offsets bigint[];
    moments text[];
    number bigint;
    since text;
    counted record;
begin
    select array_agg(f.file_id order by f.number), array_agg(f."offset" order by f.number),
        array_agg(f.moment order by f.number), count(*), min(f.moment)
    into files, offsets, moments, number, since
    from bough.found_among(allowed, queries, kinds, groups, first, newest, before_moment,
        before_file, before_offset) with ordinality as f(file_id, "offset", moment, number);
    if number < newest and before_moment is null then
        select number as records, null::bigint as sessions, true as is_all into counted;
    else
        counted := bough.count_among(allowed, queries, kinds, groups, first, most,
            case when before_moment is null then number end, since);
    end if;
    return query
        select at.file, at.place, at.moment, counted.records, counted.sessions, counted.is_all, h.*
        from unnest(files, offsets, moments) with ordinality as at(file, place, moment, number)
        left join bough.hit_rows(files, offsets) h
            on h.file_id = at.file and h."offset" = at.place
        order by at.number;
end
$$;

-- The frames that have some bytes, of files that one may read, each once; that an auditor opened a
-- file is kept, as by read_frames.
create or replace function read_frames_at(files bigint[], places bigint[])
    returns table (file_id bigint, "offset" bigint, length bigint, data bytea)
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    allowed bigint[] := array(select bough.readable_among(array(
        select f.project_id from bough.file f where f.id = any (files)
        union select c.project_id from bough.companion c where c.id = any (files))));
begin
    if bough.my_role() = 'auditor' then
        insert into bough.audit (who, what, on_what, owner, file_id)
        select distinct bough.me(), 'opened', f.session, m.owner, f.id
        from bough.file f join bough.machine m on m.id = f.machine_id
        where f.id = any (files) and not exists (
            select 1 from bough.audit a
            where a.file_id = f.id and a.who = bough.me() and a.at > now() - interval '1 minute');
    end if;
    return query select f.file_id, f."offset", f.length, f.data
        from (
            select distinct asked.file, place."offset"
            from unnest(files, places) as asked(file, at)
            cross join lateral (
                select x."offset" from bough.frame x
                where x.file_id = asked.file and x."offset" <= asked.at
                order by x."offset" desc limit 1) place
        ) wanted
        join bough.frame f on f.file_id = wanted.file and f."offset" = wanted."offset"
        where f.project_id = any (allowed);
end
$$;

-- How well records that one may read match, by how often they have the words, and where.
create or replace function word_scores(query tsquery, at_files bigint[], at_offsets bigint[])
    returns table (file_id bigint, "offset" bigint, score double precision)
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select w.file_id, w."offset", sum(ln(1 + times.number)
        * (array[4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.3])[w.kind + 1])::double precision
    from bough.word w
    join unnest(at_files, at_offsets) as place(file, start)
        on w.file_id = place.file and w."offset" = place.start
    cross join lateral (
        select (length(' ' || w.words || ' ')
            - length(replace(' ' || w.words || ' ', needle, ''))) / length(needle) as number
        from unnest(bough.needles_of(query)) needle
    ) times
    where times.number > 0 and (w.project_id in (select bough.readable())) is true
    group by w.file_id, w."offset"
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

do $$
declare
    named regprocedure;
    is_for_all boolean;
begin
    for named, is_for_all in
        select given.named::regprocedure, given.is_for_all from (values
            ('bough.hit_rows(bigint[], bigint[])', true),
            ('bough.files_at(text[])', true),
            ('bough.titles_from_others(bigint[])', true),
            ('bough.own_files(text[])', true),
            ('bough.found_page(tsquery[], integer[], integer[], bigint, bigint, text, bigint,'
                ' bigint)', true),
            -- What is allowed is told to these.
            ('bough.readable_among(bigint[])', false),
            ('bough.write_allowed()', false),
            ('bough.times_before(text, integer, integer)', false),
            ('bough.narrow_queries(tsquery[], tsquery[])', false),
            ('bough.narrow_each(text)', false),
            ('bough.has_times()', false),
            ('bough.found_among(bigint[], tsquery[], integer[], integer[], integer, bigint, text,'
                ' bigint, bigint)', false),
            ('bough.count_among(bigint[], tsquery[], integer[], integer[], integer, bigint,'
                ' bigint, text)', false)
            ) as given(named, is_for_all)
    loop
        execute format('revoke all on function %s from public', named);
        execute format('grant execute on function %s to bough_guard', named);
        if is_for_all then
            execute format('grant execute on function %s to bough_member', named);
        end if;
        execute format('alter function %s owner to bough_guard', named);
    end loop;
    revoke create on schema bough from bough_guard;
    if not current_setting('bough.was_guard')::boolean then
        execute format('revoke bough_guard from %I', current_user);
    end if;
end
$$;
