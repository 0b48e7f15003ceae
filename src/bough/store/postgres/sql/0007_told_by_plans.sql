-- What the server tells of its own work. `explain analyze` says how many rows were looked at and
-- passed over, and whether a policy was asked at all, whosever the rows are; and comparisons that
-- tell nothing by themselves come before policies: in indexes always, and else where they are
-- cheaper. So policies are made the cheapest there is, and no index answers a guess about what
-- others have: names, paths and repositories have none that a condition can ask, projects are asked
-- for by the policy itself, and ids, which nobody guesses, are in indexes that know no ranges, where
-- the engine has such.

create function pg_temp.index_ids(named text, place text, condition text default '') returns void
    language plpgsql
as $$
begin
    execute format('drop index if exists bough.%I', named);
    begin
        execute format('create index %I on bough.%s %s', named,
            regexp_replace(place, '\(', 'using hash ('), condition);
    exception when feature_not_supported or undefined_object then
        execute format('create index %I on bough.%s %s', named, place, condition);
    end;
end
$$;
select pg_temp.index_ids(given.named, given.place, given.condition) from (values
    ('file_path', 'file (path)', ''),
    ('file_session', 'file (session)', ''),
    ('companion_path', 'companion (path)', ''),
    ('companion_session', 'companion (session)', ''),
    ('session_id', 'session (id)', ''),
    ('note_session', 'note (session)', ''),
    ('note_id', 'note (id)', ''),
    ('audit_file', 'audit (file_id)', ''),
    ('record_uuid', 'record (uuid)', 'where uuid is not null'),
    ('usage_message', 'usage (message_id)', 'where message_id is not null'),
    ('call_id', 'call (call_id)', ''),
    ('result_call', 'result (call_id)', ''),
    ('tie_agent', 'tie (agent)', ''),
    ('prompt_uuid', 'prompt (uuid)', 'where uuid is not null'),
    ('hook_key', 'hook ((coalesce(call_id, timestamp, '''')))', '')
    ) as given(named, place, condition);

drop index project_identity, spend_day;
-- A number is made of machine and path, so these are one by it.
alter table project drop constraint project_machine_id_folder_key;
alter table file drop constraint file_machine_id_path_key;
alter table companion drop constraint companion_machine_id_path_key;
-- What has to be one by words is so by their hash, which no condition of a member reaches.
alter table machine drop constraint machine_prefix_key;
create unique index machine_prefix on machine (md5(prefix));
alter table note drop constraint note_pkey;
create unique index note_key on note (md5(author || ' ' || id::text));
alter table share drop constraint share_pkey;
create unique index share_key on share (md5(member || ' ' || identity::text || ' ' || owner));
alter table budget drop constraint budget_pkey;
create unique index budget_key on budget (md5(id::text));
alter table budget_mark drop constraint budget_mark_pkey;
create unique index budget_mark_key on budget_mark (
    md5(budget_id::text || ' ' || (period_begin - date '2000-01-01')::text || ' ' || mark::text));

-- Policies ---------------------------------------------------------------------------------------

-- Not written in SQL: that would be put in its place, and cost what it does.
create function is_among(element anyelement, among anyarray) returns boolean
    language plpgsql stable parallel safe cost 0.001
as $$ begin return element operator(pg_catalog.=) any (among); end $$;
create function is_seen(names text[], me text, is_all boolean) returns boolean
    language plpgsql stable parallel safe cost 0.001
as $$ begin return is_all or me operator(pg_catalog.=) any (names); end $$;
revoke all on function is_among(anyelement, anyarray), is_seen(text[], text, boolean) from public;
grant execute on function is_among(anyelement, anyarray), is_seen(text[], text, boolean)
    to bough_member, bough_guard;

-- By numbers of projects alone, which an index takes together with what is asked for, where there
-- is one. A project that is added is seen by the statement after that.
do $$
declare
    named text;
    number text;
    may text;
    is_indexed boolean;
    condition text;
begin
    for named, number, may, is_indexed in
        select given.named, case given.named when 'project' then 'id' else 'project_id' end,
            case when given.named in ('usage', 'usage_sum', 'unsummed', 'spend', 'project')
                then 'countable' else 'readable' end,
            given.named in ('session', 'record', 'file', 'companion', 'stats_sum', 'stats_shared',
                'stats_kin', 'spend', 'project')
        from unnest(array['session', 'conversation', 'record', 'body', 'frame', 'outline',
            'summary', 'call', 'result', 'touch', 'hook', 'agent_run', 'prompt', 'trouble',
            'compaction', 'stop', 'tie', 'usage', 'usage_sum', 'unsummed', 'spend', 'project',
            'file', 'companion', 'stats_sum', 'stats_shared', 'stats_kin']) as given(named)
    loop
        condition := format('bough.is_among(%I, array(select bough.%I()))', number, may);
        if is_indexed then
            condition := condition
                || format(' and %I = any (array(select bough.%I()))', number, may);
        end if;
        if named = 'stats_kin' then
            condition := condition
                || ' and bough.is_among(other_id, array(select bough.readable()))';
        elsif named = 'frame' then  -- bytes come to an auditor by read_frames
            condition := condition || ' and (select bough.my_role()) is distinct from ''auditor''';
        end if;
        execute format('alter policy seen on bough.%I using (%s)', named, condition);
    end loop;
end
$$;
-- A machine is seen by who is just adding it.
alter policy seen on machine using (bough.is_seen(array[owner], (select bough.me()), false)
    or bough.is_among(id, array(select bough.seen_machines())));
alter policy own on writing using (bough.is_among(machine_id, array(select bough.my_machines())));
alter policy seen on member using (bough.is_seen(array[name], (select bough.me()),
    (select bough.my_role() in ('admin', 'auditor'))));
alter policy seen on share using (bough.is_seen(array[member, owner], (select bough.me()),
    (select bough.my_role() = 'admin')));
alter policy seen on audit using (bough.is_seen(array[who, owner], (select bough.me()),
    (select bough.my_role() in ('admin', 'auditor'))));
alter policy seen on note using (bough.is_seen(array[author], (select bough.me()), false)
    or bough.is_among(project_id, array(select bough.readable())));
alter policy kept on budget
    using (bough.is_seen('{}', null, (select bough.my_role() = 'admin')));
alter policy kept on budget_mark
    using (bough.is_seen('{}', null, (select bough.my_role() = 'admin')));

-- Sums are of a file of one's own too.
drop policy added on stats_sum;
create policy added on stats_sum for insert to bough_member
    with check (exists (
        select 1 from bough.file f
        where f.id = stats_sum.file_id and f.project_id = stats_sum.project_id
        and f.machine_id = any (array(select bough.my_machines()))));

do $$
begin
    perform set_config('bough.was_guard',
        pg_has_role(current_user, 'bough_guard', 'usage')::text, true);
    if not current_setting('bough.was_guard')::boolean then
        execute format('grant bough_guard to %I', current_user);
    end if;
    grant create on schema bough to bough_guard;
    alter function bough.is_among(anyelement, anyarray) owner to bough_guard;
    alter function bough.is_seen(text[], text, boolean) owner to bough_guard;
end
$$;
create or replace function share_project(project bigint, with_member text, at_level text)
    returns void
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
    on conflict (md5(member || ' ' || identity::text || ' ' || owner))
        do update set level = excluded.level, added_by = excluded.added_by, added = now();
    insert into bough.audit (who, what, on_what, owner)
    values (asks, format('shared (%s) with %s', at_level, with_member), project::text, whose);
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
