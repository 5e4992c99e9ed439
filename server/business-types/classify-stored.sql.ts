import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { toTypeColumns } from './classify-business.ts';

/**
 * Classifies the next businesses that have no type yet, and returns the id of the last one that was read; undefined at the
 * end. One that a request is changing is skipped. `updated_at` stays: what duplicates are compared by does not change.
 */
export async function classifyNext(tx: Db, after: number, limit: number): Promise<number | undefined> {
  const { rows } = await tx.execute<{ id: number; name: string; types: string[] }>(sql`
    select id, name, types from businesses where id > ${after} and type is null and type_guessed
    order by id limit ${limit} for no key update skip locked`);
  const classified = rows.flatMap(({ id, name, types }) => {
    const columns = toTypeColumns({ types, name });
    return columns.type === null ? [] : [{ id, type: columns.type, guessed: columns.typeGuessed }];
  });
  if (classified.length) {
    await tx.execute(sql`
      update businesses business set type = classified.type, type_guessed = classified.guessed
      from json_to_recordset(${JSON.stringify(classified)}::json) as classified (id integer, type text, guessed boolean)
      where business.id = classified.id`);
  }
  return rows.at(-1)?.id;
}
