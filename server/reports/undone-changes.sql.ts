import { type SQL, sql } from 'drizzle-orm';

/**
 * The changes of status that were taken back until a moment, by an undo that was not undone itself. They are few, and read
 * once for a whole statement.
 */
export const undoneChanges = (until: SQL): SQL => sql`(
  with recursive undo as (
    select made.id as made, inverse.id as inverse from change_batches batch
    join changes inverse on inverse.batch_id = batch.id and inverse.field = 'status'
    join changes made on made.batch_id = batch.undoes and made.lead_id = inverse.lead_id and made.field = 'status'
    where batch.undoes is not null and batch.at <= ${until}
  ), effect as (
    select inverse as id, true as holds from undo where inverse not in (select made from undo)
    union all select undo.made, not effect.holds from effect join undo on undo.inverse = effect.id
  )
  select id from effect where not holds)`;
