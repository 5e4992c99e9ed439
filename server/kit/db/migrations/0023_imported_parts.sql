-- A business with an imported part is imported. Merges kept this only where the kept business was imported itself.

-- First what undoing those merges restores, for which the kept business must still say that it is not.
update merged_rows stored
set before = stored.before || '{"imported": false}', after = stored.after || '{"imported": true}'
from businesses kept
where stored.table_name = 'businesses' and stored.row_id = kept.id and stored.before is not null and stored.after is not null
  and not kept.imported and exists (
    select from merged_rows part join businesses business on business.id = part.row_id
    where part.batch_id = stored.batch_id and part.table_name = 'businesses' and business.imported
      and business.merged_into = kept.id);

update businesses kept set imported = true
where not kept.imported
  and exists (select from businesses part where part.merged_into = kept.id and part.imported);
