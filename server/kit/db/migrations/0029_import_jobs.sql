-- Imports are run by jobs, which have the id of their import; the row of the job reserves a step. A process of the version
-- before fails without this column, and leaves an import that is running to the job.
alter table imports drop column run;
insert into jobs (id, kind)
select id, 'import' from imports where state in ('checking', 'running') order by updated_at desc limit 1;
