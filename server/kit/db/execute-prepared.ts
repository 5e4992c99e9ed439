import { createHash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Db } from './db.ts';

/**
 * As `db.execute`, for a statement that is run often, in few different texts: a connection parses and plans each text once.
 * Its name is a digest of the text. PostgreSQL plans without knowing the parameters, so it is for plans that suit them all.
 */
export async function executePrepared<R extends QueryResultRow>(db: Db, statement: SQL): Promise<QueryResult<R>> {
  const query = db.execute(statement).getQuery();
  const name = createHash('sha1').update(query.sql).digest('hex');
  type Result = { execute: QueryResult<R>; all: unknown; values: unknown };
  return db._.session.prepareQuery<Result>(query, undefined, name, false).execute();
}
