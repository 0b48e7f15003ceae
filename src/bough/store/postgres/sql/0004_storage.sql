-- Less room for the same answers. Words are kept as they stand in a text, one space between two,
-- and not as vectors: those hardly compress, and take half as much again. The index of words has
-- the vectors, which are made where a row is added; a phrase is looked for in the text. JSON is
-- kept for as many records as a frame has: each of them names the same fields, which compress.

-- Words ------------------------------------------------------------------------------------------

drop index word_v;

create function words_in(vector tsvector) returns text
    language sql immutable
    set search_path = pg_catalog, bough, pg_temp
as $$
    select coalesce(string_agg(l.lexeme, ' ' order by place), '')
    from unnest(vector) l left join lateral unnest(l.positions) place on true
$$;
alter table word alter column v type text collate "C" using bough.words_in(v);
alter table word rename column v to words;
drop function words_in(tsvector);
create index word_v on word using gin (array_to_tsvector(string_to_array(words, ' ')))
    with (fastupdate = off);

-- JSON -------------------------------------------------------------------------------------------

-- The records of a frame as JSON, by their offsets; long strings are cut. For questions: the bytes
-- are in frame.
create table body (
    file_id bigint not null,
    "offset" bigint not null,
    project_id bigint not null,
    bodies jsonb not null,
    primary key (file_id, "offset")
);

do $$
declare
    named text;
begin
    -- Whoever keeps the database owns the tables, and passes policies that are not forced.
    foreach named in array array['record', 'frame'] loop
        execute format('alter table bough.%I no force row level security', named);
    end loop;
    insert into bough.body (file_id, "offset", project_id, bodies)
    select r.file_id, f."offset", r.project_id, jsonb_object_agg(r."offset"::text, r.body)
    from bough.record r join bough.frame f on f.file_id = r.file_id
        and r."offset" >= f."offset" and r."offset" < f."offset" + f.length
    where r.body is not null
    group by 1, 2, 3;
    foreach named in array array['record', 'frame', 'body'] loop
        execute format('alter table bough.%I enable row level security', named);
        execute format('alter table bough.%I force row level security', named);
    end loop;
end
$$;
-- Written anew without it: a column that is only dropped keeps its room.
alter table record alter column body type jsonb using null;
alter table record drop column body;

create policy seen on body for select to bough_member
    using (project_id = any (array(select bough.readable())));
create policy added on body for insert to bough_member
    with check (exists (
        select 1 from bough.file f where f.id = body.file_id and f.project_id = body.project_id
        and f.machine_id = any (array(select bough.my_machines()))));
create policy changed on body for update to bough_member
    using (project_id = any (array(select bough.my_projects())))
    with check (exists (
        select 1 from bough.file f where f.id = body.file_id and f.project_id = body.project_id
        and f.machine_id = any (array(select bough.my_machines()))));
create policy removed on body for delete to bough_member
    using (project_id = any (array(select bough.my_projects())));
revoke all on body from public;
grant select, insert, update, delete on body to bough_member;

create view record_body with (security_invoker = true) as
    select b.file_id, one.key::bigint as "offset", b.project_id, one.value as body
    from body b, jsonb_each(b.bodies) one;
revoke all on record_body from public;
grant select on record_body to bough_member;

-- What of it is kept: body, envelope (without what was said) or none. An admin says so.
insert into meta values ('json', 'body') on conflict do nothing;

-- How it is kept ---------------------------------------------------------------------------------

-- Frames are compressed already.
alter table frame alter column data set storage external;
do $$
begin
    alter table word alter column words set compression lz4;
    alter table body alter column bodies set compression lz4;
exception when feature_not_supported then
    null;  -- a server that was built without it has another
end
$$;

-- Searching --------------------------------------------------------------------------------------

-- Functions that belong to bough_guard are changed by who is of that role, for this long.
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

-- What has to stand in the words of a row, any of them, for a query of words and phrases; null for
-- any other query. The last word of a phrase may be open.
create function needles_of(query tsquery) returns text[]
    language sql immutable parallel safe
    set search_path = pg_catalog, bough, pg_temp
as $$
    select case when query::text ~
        '^''[^''\\]+''( <-> ''[^''\\]+'')*(:\*)?( \| ''[^''\\]+''( <-> ''[^''\\]+'')*(:\*)?)*$'
    then array(
        select ' ' || replace(regexp_replace(one, '^''|''(:\*)?$', '', 'g'), ''' <-> ''', ' ')
            || case when one like '%:*' then '' else ' ' end
        from regexp_split_to_table(query::text, ' \| ') one)
    end
$$;

-- How a call of found and of count_found is asked: the queries for the index, which knows nothing
-- of phrases; what has to stand in the words; the condition on rows w that the first group makes
-- for the index (`first` where it is named), and the one for the words of a row, which alone tells phrases; and what all other
-- groups make. Only numbers become part of a statement.
create function plan_words(
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
    condition text;
begin
    indexed := '{}';
    needles := '{}';
    others := '';
    has_phrase := false;
    for place in 1 .. coalesce(array_length(queries, 1), 0) loop
        own := bough.needles_of(queries[place]);
        in_index := format(
            'array_to_tsvector(string_to_array(w.words, '' '')) @@ ($1)[%s]', place);
        in_words := in_index;
        indexed := indexed || queries[place];
        if own is not null then
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
        index_by_place := index_by_place || format('(%s%s)', in_index, in_kinds);
    end loop;
    for asked in
        select number from (select distinct number from unnest(groups) number) given
        order by number = first desc, number desc
    loop
        select string_agg(by_place[given.place], ' or '),
            string_agg(index_by_place[given.place], ' or ')
        into condition, in_index
        from unnest(groups) with ordinality as given(number, place) where given.number = asked;
        if by_index is null then
            exit when asked <= 0;
            by_index := format('(%s)', in_index);
            by_words := format('(%s)', condition);
        else
            others := others || format(
                ' and %s exists (select 1 from bough.word o where o.file_id = w.file_id '
                'and o."offset" = w."offset" and (%s))',
                case when asked > 0 then '' else 'not' end, replace(condition, 'w.', 'o.'));
        end if;
    end loop;
end
$$;

-- The group by which records are found where all of several have to match: the rarest among what
-- one may read. For the functions here alone.
create function choose_group(
    queries tsquery[], kinds integer[], groups integer[], allowed bigint[]) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, bough, pg_temp
    set work_mem = '64MB' set jit = off set enable_seqscan = on
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
    perform set_config('enable_seqscan', 'off', true);
    for asked in select distinct one from unnest(groups) one where one > 0 order by one loop
        plan := bough.plan_words(queries, kinds, groups, asked);
        execute 'select count(*) from (select 1 from bough.word w'
            ' where w.project_id = any ($4) and ' || plan.by_index
            || ' limit 3000) hit'
            into number using plan.indexed, plan.needles, kinds, allowed;
        if least is null or number < least then
            least := number;
            chosen := asked;
        end if;
        exit when least < 100;
    end loop;
    return chosen;
end
$$;

-- The newest records, in what one may read, whose words match. A query stands for rows of words
-- of some kinds (a bit for each); of queries of one group any has to match, of all groups above
-- zero each, of those below zero none.
--
-- Where only the newest are asked for, the newest rows are looked at first, which suffices for a
-- common word. How many of them match says how far that is worth going on with; then the index is
-- asked for all.
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
        exit when reach > 400 or number = 0;
        -- Looking at a row takes as long as finding six by the index.
        select sum(greatest(c.reltuples, 0)) into all_rows
        from pg_partition_tree('bough.word') part join pg_class c on c.oid = part.relid
        where part.isleaf;
        seen := 400 * newest / number;
        exit when seen > case when plan.has_phrase then 4000 else 20000 end
            or not plan.has_phrase and seen * 6 > all_rows * number / 400;
        reach := seen + seen / 2;
    end loop;
    -- Else a vector might be made of every row. Not before: functions that are called obey it too.
    perform set_config('enable_seqscan', 'off', true);
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
create function count_found(
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
    -- A record has at most seven kinds of words, and seldom more than two.
    foreach reach in array array[2, 8] loop
        reach := reach * (most + 1);
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
    where times.number > 0 and w.project_id = any (array(select bough.readable()))
    group by w.file_id, w."offset"
$$;

-- The frames that have some bytes, of files that one may read, each once; that an auditor opened a
-- file is kept, as by read_frames.
create function read_frames_at(files bigint[], places bigint[])
    returns table (file_id bigint, "offset" bigint, length bigint, data bytea)
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    allowed bigint[] := array(select bough.readable());
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

-- What changes when a file does that one may know the numbers of, and at nothing else.
create function files_state(out files bigint, out numbers bigint, out moments interval)
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select count(*), sum(hashint8(f.id)), sum(f.pushed - timestamptz 'epoch') from bough.file f
    where f.project_id in (select bough.countable())
$$;

drop function put_words(bigint[], bigint[], bigint[], text[], integer[], integer[], tsvector[]);
create function put_words(
    files bigint[], projects bigint[], offsets bigint[], moments text[], kinds integer[],
    parts integer[], texts text[]) returns void
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
    insert into bough.word (file_id, project_id, "offset", moment, kind, part, words)
    select * from unnest(files, projects, offsets, moments, kinds, parts, texts);
end
$$;

revoke all on function needles_of(tsquery), files_state(), read_frames_at(bigint[], bigint[]),
    plan_words(tsquery[], integer[], integer[], integer),
    choose_group(tsquery[], integer[], integer[], bigint[]),
    count_found(tsquery[], integer[], integer[], bigint),
    put_words(bigint[], bigint[], bigint[], text[], integer[], integer[], text[])
    from public;
do $$
declare
    named regprocedure;
begin
    foreach named in array array[
        'bough.files_state()', 'bough.needles_of(tsquery)',
        'bough.read_frames_at(bigint[], bigint[])',
        'bough.plan_words(tsquery[], integer[], integer[], integer)',
        'bough.choose_group(tsquery[], integer[], integer[], bigint[])',
        'bough.count_found(tsquery[], integer[], integer[], bigint)',
        'bough.put_words(bigint[], bigint[], bigint[], text[], integer[], integer[], text[])'
        ]::regprocedure[]
    loop
        execute format('grant execute on function %s to bough_guard', named);
        if named::text not like '%choose_group(%' then
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
