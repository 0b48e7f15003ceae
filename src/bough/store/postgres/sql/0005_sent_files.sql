-- oldest client: 2
--
-- By which rules the secrets of a file were hidden when it was sent: a bough that hides more looks
-- at it again. Files of a bough that says nothing of it were sent by the first.
alter table file add column redaction integer not null default 0;

-- An auditor reads and says nothing, whatever program asks.
create policy no_auditor on note as restrictive for insert to bough_member
    with check ((select bough.my_role()) is distinct from 'auditor');
create policy no_auditor_changes on note as restrictive for update to bough_member
    using ((select bough.my_role()) is distinct from 'auditor');
