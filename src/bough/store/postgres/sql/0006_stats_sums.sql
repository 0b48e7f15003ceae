-- oldest client: 2
--
-- Sums for statistics: what each file adds to a report, made by whoever sends it, after that. What
-- several files of a project have is looked at singly: it is named here. What several projects have
-- (forks, worktrees, sessions that were pulled) makes the rows of these be looked at, for who sees
-- both: pairs of projects are seen by nobody else.

-- pushed is that of the file when its sum was made: another one says that the sum is too old.
create table stats_sum (
    file_id bigint not null,
    project_id bigint not null,
    kind text collate "C" not null,
    pushed timestamptz not null,
    first text collate "C" not null,
    last text collate "C" not null,
    value bytea,
    primary key (file_id, kind)
);
create index stats_sum_project on stats_sum (project_id);

create table stats_shared (
    project_id bigint not null,
    space text collate "C" not null,
    id text collate "C" not null,
    primary key (project_id, space, id)
);

create table stats_kin (
    project_id bigint not null,
    other_id bigint not null,
    primary key (project_id, other_id)
);

create index prompt_uuid on prompt (uuid) where uuid is not null;
create index hook_key on hook ((coalesce(call_id, timestamp, '')));

-- Notes the projects that have something of these files of one's own too, whosever they are.
create function note_stats_kin(files bigint[]) returns void
    language sql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    with own as materialized (
        select f.id from bough.file f where f.id = any (files)
        and f.machine_id = any (array(select bough.my_machines()))
    ),
    calls as materialized (
        select c.call_id, c.project_id from bough.call c join own on own.id = c.file_id
        union select r.call_id, r.project_id from bough.result r join own on own.id = r.file_id
    ),
    pairs as (
        select t.project_id as one, o.project_id as other
        from calls t join bough.call o on o.call_id = t.call_id
        union
        select t.project_id, o.project_id
        from calls t join bough.result o on o.call_id = t.call_id
        union
        select t.project_id, o.project_id
        from own join bough.usage t on t.file_id = own.id
        join bough.usage o on o.message_id = t.message_id
        union
        select t.project_id, o.project_id
        from own join bough.prompt t on t.file_id = own.id join bough.prompt o on o.uuid = t.uuid
        union
        select t.project_id, o.project_id
        from own join bough.hook t on t.file_id = own.id
        join bough.hook o on coalesce(o.call_id, o.timestamp, '')
            = coalesce(t.call_id, t.timestamp, '')
    )
    insert into bough.stats_kin (project_id, other_id)
    select p.one, p.other from pairs p where p.one <> p.other
    union select p.other, p.one from pairs p where p.one <> p.other
    on conflict do nothing
$$;

-- Where an engine has no advisory locks, who does something alone locks a row here. A row is taken
-- by whoever comes first, as an advisory lock is: nothing is told by it.
create table lock_row (name text collate "C" primary key);

-- Rights and policies ----------------------------------------------------------------------------

revoke all on stats_sum, stats_shared, stats_kin, lock_row from public;
revoke all on function note_stats_kin(bigint[]) from public;
do $$
declare
    named text;
    was_member boolean := pg_has_role(current_user, 'bough_guard', 'usage');
begin
    foreach named in array array['stats_sum', 'stats_shared', 'stats_kin', 'lock_row'] loop
        execute format('alter table bough.%I enable row level security', named);
        execute format('alter table bough.%I force row level security', named);
    end loop;
    foreach named in array array['stats_sum', 'stats_shared'] loop
        execute format('create policy seen on bough.%I for select to bough_member '
            'using (project_id = any (array(select bough.readable())))', named);
        execute format('create policy added on bough.%I for insert to bough_member '
            'with check (project_id = any (array(select bough.my_projects())))', named);
        execute format('create policy removed on bough.%I for delete to bough_member '
            'using (project_id = any (array(select bough.my_projects())))', named);
        execute format('grant select, insert, delete on bough.%I to bough_member', named);
    end loop;
    foreach named in array array['call', 'result', 'prompt', 'hook'] loop
        execute format('create policy guard on bough.%I for select to bough_guard using (true)',
            named);
        execute format('grant select on bough.%I to bough_guard', named);
    end loop;
    create policy guard on stats_kin to bough_guard using (true) with check (true);
    grant select, insert on stats_kin to bough_guard;
    create policy seen on stats_kin for select to bough_member
        using (project_id = any (array(select bough.readable()))
            and other_id = any (array(select bough.readable())));
    grant select on stats_kin to bough_member;
    create policy used on lock_row to bough_member using (true) with check (true);
    execute format('create policy operator on lock_row to %I using (true) with check (true)',
        current_user);
    grant select, insert, update on lock_row to bough_member;
    if not was_member then
        execute format('grant bough_guard to %I', current_user);
    end if;
    grant create on schema bough to bough_guard;
    grant execute on function note_stats_kin(bigint[]) to bough_member, bough_guard;
    alter function note_stats_kin(bigint[]) owner to bough_guard;
    revoke create on schema bough from bough_guard;
    if not was_member then
        execute format('revoke bough_guard from %I', current_user);
    end if;
end
$$;
