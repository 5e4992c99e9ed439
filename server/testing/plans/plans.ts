import type { Database } from '#server/kit/db/open.ts';

// Plans are compared by the indexes and rows that they read, not by time, so that the result is the same on any machine.

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

export interface Statement {
  text: string;
  values: unknown[];
}

type Work = (db: Database['db']) => Promise<unknown>;

/** The statements that this work sends. */
export async function recordStatements(database: Database, work: Work): Promise<Statement[]> {
  const sent: Statement[] = [];
  const { query } = database.pool;
  database.pool.query = ((config: { text: string }, values: unknown[]) => {
    sent.push({ text: config.text, values });
    return Reflect.apply(query, database.pool, [config, values]);
  }) as typeof query;
  await work(database.db).finally(() => {
    database.pool.query = query;
  });
  return sent;
}

/** The steps that these statements execute. */
export async function listSteps(database: Database, statements: Statement[]): Promise<Plan[]> {
  const steps: Plan[] = [];
  for (const { text, values } of statements) {
    const { rows } = await database.pool.query(`explain (analyze, format json) ${text}`, values);
    steps.push(...flatten(rows[0]['QUERY PLAN'][0].Plan));
  }
  return steps.filter((step) => step['Actual Loops'] > 0);
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

/** How many rows a step reads. */
export const countRows = (step: Plan): number =>
  step['Actual Loops'] *
  (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0));
