-- oldest client: 2
--
-- Budgets: what a team, a project or a member may cost in a period, which of their marks were
-- crossed, and what was spent by day. And what the engine can do, as it was tried.

-- What the calls of a folder of projects cost by day (UTC), priced by whoever has sent them. Calls
-- of models without a price are counted, as they are in no sum.
create table spend (
    project_id bigint not null,
    day text collate "C" not null,
    usd_micro bigint not null,
    unpriced_calls bigint not null default 0,
    primary key (project_id, day)
);
create index spend_day on spend (day);

-- A mark that was crossed, once in a period. claimed_at is when somebody began to post it.
create table budget_mark (
    budget_id bigint not null,
    period_begin date not null,
    mark real not null,
    usd_micro bigint not null,
    crossed_at timestamptz not null default now(),
    claimed_at timestamptz,
    posted_at timestamptz,
    primary key (budget_id, period_begin, mark)
);

-- What was tried of the engine by team migrate, and how that ended.
create table dialect (
    name text collate "C" primary key,
    works boolean not null,
    detail text collate "C" not null default '',
    tried_at timestamptz not null default now()
);

-- What was spent in a budget's period so far: for the functions here alone.
create function spent_of(which bigint) returns table (period_begin date, usd_micro bigint,
    unpriced_calls bigint)
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select began.day, coalesce(sum(s.usd_micro), 0)::bigint,
        coalesce(sum(s.unpriced_calls), 0)::bigint
    from bough.budget b
    cross join lateral (select date_trunc(b.period, now() at time zone 'UTC')::date as day) as began
    left join (
        bough.spend s join bough.project p on p.id = s.project_id
        join bough.machine m on m.id = p.machine_id)
    on s.day >= began.day::text and case b.scope
        when 'team' then true
        when 'project' then p.identity::text = b.scope_id
        else m.owner = b.scope_id end
    where b.id = which
    group by began.day
$$;

-- The same of each budget, for who keeps them.
create function budgets_spent() returns table (id bigint, period_begin date, usd_micro bigint,
    unpriced_calls bigint)
    language sql stable security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
    select b.id, spent.* from bough.budget b cross join lateral bough.spent_of(b.id) as spent
    where bough.is_superuser() or bough.my_role() = 'admin'
$$;

-- Notes which marks are crossed now, each once, and gives those that the asker may know: an admin
-- all, a member those of a budget that is about them.
create function cross_marks() returns table (scope text, scope_id text, period text, mark real,
    usd_micro bigint, budget_usd_micro bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
declare
    sees_all boolean := bough.is_superuser() or coalesce(bough.my_role() = 'admin', false);
    asks text := bough.me();
    known record;
begin
    if not sees_all and bough.my_role() is distinct from 'member' then
        return;
    end if;
    for known in
        with new_marks as (
            insert into bough.budget_mark as kept (budget_id, period_begin, mark, usd_micro)
            select b.id, spent.period_begin, given.mark, spent.usd_micro
            from bough.budget b
            cross join lateral bough.spent_of(b.id) as spent
            cross join lateral unnest(b.warn_at) as given(mark)
            where spent.usd_micro >= b.usd_micro * given.mark::numeric
            on conflict do nothing
            returning kept.budget_id, kept.mark, kept.usd_micro
        )
        select b.scope, b.scope_id, b.period, n.mark, n.usd_micro as spent,
            b.usd_micro as allowed
        from new_marks n join bough.budget b on b.id = n.budget_id
        order by b.scope, b.scope_id, b.period, n.mark
    loop
        insert into bough.audit (who, what, on_what, owner)
        values ('bough_guard', format('budget: %s %% of %s USD a %s are spent (%s USD)',
            round(known.mark::numeric * 100), round(known.allowed / 1e6, 2), known.period,
            round(known.spent / 1e6, 2)),
            known.scope || ' ' || known.scope_id,
            case known.scope when 'member' then known.scope_id end);
        if sees_all or known.scope = 'member' and known.scope_id = asks then
            scope := known.scope;
            scope_id := known.scope_id;
            period := known.period;
            mark := known.mark;
            usd_micro := known.spent;
            budget_usd_micro := known.allowed;
            return next;
        end if;
    end loop;
end
$$;

-- What an admin did is kept, in the admin's name.
create function note_deed(done text, done_to text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, bough, pg_temp
as $$
begin
    if not bough.is_superuser() and bough.my_role() is distinct from 'admin' then
        raise insufficient_privilege using message = 'only admins keep budgets';
    end if;
    insert into bough.audit (who, what, on_what)
    values (coalesce(bough.me(), session_user::text), done, done_to);
end
$$;

-- Rights and policies ----------------------------------------------------------------------------

revoke all on spend, budget_mark, dialect from public;
revoke all on function spent_of(bigint), budgets_spent(), cross_marks(), note_deed(text, text)
    from public;

do $$
declare
    named text;
    column_name text;
    operator text := quote_ident(current_user);
begin
    foreach named in array array['spend', 'budget_mark', 'dialect'] loop
        execute format('alter table bough.%I enable row level security', named);
        execute format('alter table bough.%I force row level security', named);
        execute format('create policy operator on bough.%I to %s using (true) with check (true)',
            named, operator);
    end loop;
    foreach named in array array['spend', 'budget', 'budget_mark'] loop
        execute format('create policy guard on bough.%I to bough_guard using (true) '
            'with check (true)', named);
        execute format('grant select on bough.%I to bough_guard', named);
    end loop;
    for named, column_name in
        select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'bough'::regnamespace and c.relname in ('spend', 'budget_mark')
        and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    loop
        execute format('alter table bough.%I alter column %I set statistics 0', named, column_name);
    end loop;
end
$$;
grant insert on budget_mark to bough_guard;
grant select, insert, update, delete on spend, budget_mark to bough_member;
grant select on dialect to bough_member;
-- An admin's team check looks whether roles that were made for members pass policies.
grant select (has_login) on member to bough_member;

create policy seen on spend for select to bough_member
    using (project_id = any (array(select bough.countable())));
create policy added on spend for insert to bough_member
    with check (project_id = any (array(select bough.my_projects()))
        or (select bough.my_role()) = 'admin');
create policy changed on spend for update to bough_member
    using (project_id = any (array(select bough.my_projects()))
        or (select bough.my_role()) = 'admin')
    with check (project_id = any (array(select bough.my_projects()))
        or (select bough.my_role()) = 'admin');
create policy removed on spend for delete to bough_member
    using (project_id = any (array(select bough.my_projects()))
        or (select bough.my_role()) = 'admin');
create policy kept on budget_mark to bough_member
    using ((select bough.my_role()) = 'admin')
    with check ((select bough.my_role()) = 'admin');
create policy seen on dialect for select to bough_member using (true);

do $$
declare
    named regprocedure;
    operator text := current_user;
    was_member boolean := pg_has_role(current_user, 'bough_guard', 'usage');
begin
    if not was_member then
        execute format('grant bough_guard to %I', operator);
    end if;
    grant create on schema bough to bough_guard;
    grant execute on function spent_of(bigint) to bough_guard;
    foreach named in array array['bough.spent_of(bigint)', 'bough.budgets_spent()',
        'bough.cross_marks()', 'bough.note_deed(text, text)']::regprocedure[]
    loop
        if named <> 'bough.spent_of(bigint)'::regprocedure then
            execute format('grant execute on function %s to bough_member, bough_guard', named);
        end if;
        execute format('alter function %s owner to bough_guard', named);
    end loop;
    revoke create on schema bough from bough_guard;
    if not was_member then
        execute format('revoke bough_guard from %I', operator);
    end if;
end
$$;
