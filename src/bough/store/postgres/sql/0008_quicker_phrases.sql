-- Quicker phrases, less room, and names of members that no plan tells.

-- Members ----------------------------------------------------------------------------------------

-- By their hash, which no condition of a member reaches: auditors have no role that names them.
alter table member drop constraint member_pkey;
alter table member alter column name set not null;
create unique index member_key on member (md5(name));

-- Room -------------------------------------------------------------------------------------------

-- What has the same moment is put in order when it is asked for.
drop index word_moment, record_moment;
create index word_moment on word (moment);
create index record_moment on record ((coalesce(timestamp, '')));
-- Numbers that count lines, branches and bytes of one line.
alter table record
    alter column length type integer, alter column line type integer,
    alter column branch type integer, alter column failed type smallint,
    alter column image type smallint, alter column active type smallint;
-- Ids of calls are long: a key has their hash.
alter table call drop constraint call_pkey;
create unique index call_key on call (file_id, "offset", hashtextextended(call_id, 0));
alter table result drop constraint result_pkey;
create unique index result_key on result (file_id, "offset", hashtextextended(call_id, 0));
alter table touch drop constraint touch_pkey;
create unique index touch_key on touch (file_id, "offset", hashtextextended(call_id, 0));

-- Searching --------------------------------------------------------------------------------------

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

-- How a call of found and of count_found is asked: the queries for the index, which knows nothing
-- of phrases; what has to stand in the words; the condition on rows w that the first group makes
-- for the index (`first` where it is named), and the one for the words of a row, which alone tells
-- phrases; and what all other groups make. Only numbers become part of a statement.
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
        in_index := format(
            'array_to_tsvector(string_to_array(w.words, '' '')) @@ ($1)[%s]', place);
        in_words := in_index;
        indexed := indexed || queries[place];
        if own is not null then
            -- Most rows are passed over by the first look, for which no text is made.
            select string_agg(format('strpos(w.words, btrim(($2)[%1$s])) > 0 '
                'and strpos('' '' || w.words || '' '', ($2)[%1$s]) > 0',
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

-- The newest records, in what one may read, whose words match. A query stands for rows of words
-- of some kinds (a bit for each); of queries of one group any has to match, of all groups above
-- zero each, of those below zero none.
--
-- Where only the newest are asked for, the newest rows are looked at first, which suffices for a
-- common word. How many of them match says how far that is worth going on with; then the index is
-- asked for all. It knows nothing of phrases: of the records that have all words of one, the newest
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

do $$
begin
    revoke create on schema bough from bough_guard;
    if not current_setting('bough.was_guard')::boolean then
        execute format('revoke bough_guard from %I', current_user);
    end if;
end
$$;
