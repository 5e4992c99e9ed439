-- Sweeps are run by jobs, which have the id of their sweep; the row of the job reserves a step. A process of the version before
-- fails without this column, and leaves a sweep that is running to the job.
alter table sweeps drop column run;
insert into jobs (id, kind) select id, 'sweep' from sweeps where state = 'running' order by updated_at desc limit 1;
