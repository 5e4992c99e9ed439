import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import { resolvePeriod } from '#contract/reports/period.ts';
import { toPastPipelineParams } from '#contract/reports/pipeline.calls.ts';
import { reportQuery } from '#contract/reports/reports.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { countMatching } from '#server/leads/list/export/lead-export.sql.ts';
import { ROOT } from '#server/paths.ts';
import { countActivity, countCallTimes } from './activity.sql.ts';
import { countFunnel } from './funnel.sql.ts';
import { countGroups } from './groups.sql.ts';
import { countPastPipeline, countPipeline } from './pipeline.sql.ts';
import { assignedIn } from './read-report.ts';
import { countSlipped } from './slipped.sql.ts';

// docs/reports.md has each statement as the server sends it, with the parameters of an example in their places. After a change
// of a statement, write them: npx vitest run --project rules reports-docs -u

const PAGE = join(ROOT, 'docs/reports.md');
const VIEWER: Viewer = { id: 1, role: 'admin' };
const TIME = { now: new Date('2026-11-19T12:00:00Z'), timeZone: 'Europe/London' };
const query = reportQuery.parse({});
const { days, before } = resolvePeriod('month', { year: 2026, month: 11, day: 19 });
const held = (db: Db, each = days) => assignedIn({ db, viewer: VIEWER, query, ...TIME }, each);
const groups = (db: Db) => ({
  ...{ tags: [], timeZone: TIME.timeZone, matches: held(db), matchesBefore: held(db, before) },
});
const period = { ...query, days, timeZone: TIME.timeZone };
const PAST_LIST = leadFilter.parse(toPastPipelineParams(VIEWER, query, { day: '2026-10-25', status: 'proposal' }));

const STATEMENTS: Record<string, (db: Db) => Promise<unknown>> = {
  funnel: (db) => countFunnel(db, held(db)),
  'by type': (db) => countGroups(db, { by: 'type', sum: undefined, ...groups(db) }),
  'by own field': (db) => countGroups(db, { by: 'field12', sum: 13, ...groups(db) }),
  activity: (db) => countActivity(db, { ...period, before }),
  'call times': (db) => countCallTimes(db, period),
  slipped: (db) => countSlipped(db, VIEWER, query, TIME),
  pipeline: (db) => countPipeline(db, VIEWER, query, TIME),
  'past pipeline': (db) => countPastPipeline(db, VIEWER, { ...query, asOf: '2026-10-25' }, TIME),
  'past list': (db) => countMatching(db, VIEWER, PAST_LIST, TIME),
};

test('docs/reports.md has each statement as the server sends it', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const blocks = /<!-- statement: ([^\n]+) -->\n```sql\n.*?```/gs;
  expect([...page.matchAll(blocks)].map(([, name]) => name)).toEqual(Object.keys(STATEMENTS));
  let written = page;
  for (const [name, work] of Object.entries(STATEMENTS)) {
    const block = `<!-- statement: ${name} -->\n\`\`\`sql\n${await render(work)}\n\`\`\``;
    written = written.replace(blocks, (found, of) => (of === name ? block : found));
  }
  await expect(written).toMatchFileSnapshot(PAGE);
});

/** The statement that this work sends first. It never gets an answer. */
const render = (work: (db: Db) => Promise<unknown>): Promise<string> =>
  new Promise((resolve, reject) => {
    const execute = (statement: SQL) => {
      resolve(format(statement));
      return new Promise(() => {});
    };
    // All that these statements use of a database.
    work({ execute } as unknown as Db).catch(reject);
  });

/** Where a line that is too long goes on. */
const BREAKS = / (?=(?:union all|from|where|and|or|case|group by|cross join|join|coalesce\(sum)\b)|(?<=,) (?=\()/g;
const MAX_LINE = 140;

/** With the parameters in their places, indented by its brackets. */
function format(statement: SQL): string {
  const { sql: text, params } = new PgDialect().sqlToQuery(statement);
  const filled = text.replace(/\$(\d+)/g, (_, nth) => toLiteral(params[Number(nth) - 1]));
  let depth = 0;
  return filled
    .split('\n')
    .flatMap((line) => (line.length > MAX_LINE ? line.replace(BREAKS, '\n').split('\n') : [line]))
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const indent = '  '.repeat(Math.max(0, line.startsWith(')') ? depth - 1 : depth));
      depth += line.split('(').length - line.split(')').length;
      return indent + line;
    })
    .join('\n');
}

function toLiteral(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = Array.isArray(value) ? `{${value.join(',')}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}
