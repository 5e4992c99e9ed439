import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPath, type Input } from '#contract/call.ts';
import { addTag } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { archiveOwnField, createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { exportReport } from '#contract/reports/report-file.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-19T12:00:00.000Z';
const ASSIGNED = { assignedAt: '2026-11-09T09:00:00.000Z' };

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ now: NOW, env: { TIME_ZONE: 'Europe/London' } });
});
afterAll(() => t.close());

const download = (viewer: TestUser, query: Input<typeof exportReport>['query'] = {}) =>
  t.inject({ url: buildPath(exportReport, { query }), headers: { cookie: viewer.cookie } });
const readLines = (csv: string) => csv.split('\r\n').slice(0, -1);
const listAudits = ({ id }: TestUser) =>
  t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.actorId, id), eq(auditEvents.event, 'report_exported')))
    .orderBy(desc(auditEvents.id));

test('the funnel is a file with a line for each step of both periods', async () => {
  const holder = await t.user();
  for (let nth = 0; nth < 20; nth += 1) await t.lead(holder, ASSIGNED);
  const called = await t.lead(holder, ASSIGNED);
  await t.request(holder, logContact.byId, { params: { id: called.id }, body: { outcome: 'spoke' } });

  const file = await download(holder, { user: holder.id, period: 'last_week' });

  expect(file.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="report-funnel-2026-11-09-to-2026-11-15.csv"',
    'cache-control': 'no-store',
  });
  const lines = readLines(file.body);
  expect(lines.slice(0, 4)).toEqual([
    '\ufeff"From","To","Step","Leads","Of the step before (%)","Median days"',
    '"2026-11-09","2026-11-15","Assigned","21","",""',
    '"2026-11-09","2026-11-15","Contacted","1","5","10.1"',
    '"2026-11-09","2026-11-15","Reached","1","","0"',
  ]);
  expect(lines[7]).toBe('"2026-11-02","2026-11-08","Assigned","0","",""');
  expect(lines).toHaveLength(13);
  expect((await listAudits(holder))[0]?.details).toEqual({ kind: 'funnel', count: 12 });
});

test('a table by group has the counts and the shares of each', async () => {
  const holder = await t.user('user', { fullName: 'Zoë "Z" Lane' });
  const manager = await t.user('manager');
  await t.lead(holder, { assignedAt: '2026-11-08T09:00:00.000Z' });
  for (let nth = 0; nth < 20; nth += 1) await t.lead(holder, { ...ASSIGNED, status: nth < 5 ? 'closed_won' : 'new' });
  const read = async (query: Input<typeof exportReport>['query']) =>
    readLines((await download(manager, { user: holder.id, period: 'days', ...DAYS, ...query })).body);
  const DAYS = { from: '2026-11-09', to: '2026-11-09' };

  expect(await read({ table: 'person' })).toEqual([
    '\ufeff"From","To","Person","Assigned","Contacted","Contacted (%)","Reached","Reached (%)","Qualified or proposal","Qualified or proposal (%)","Won","Won (%)","Lost","Lost (%)"',
    '"2026-11-09","2026-11-09","Zoë ""Z"" Lane","20","5","25","5","25","5","25","5","25","0","0"',
    '"2026-11-08","2026-11-08","Zoë ""Z"" Lane","1","0","","0","","0","","0","","0",""',
  ]);
  const weeks = await read({ table: 'week' });
  expect(weeks[1]).toMatch(/^"2026-11-09","2026-11-09","2026-11-09","20",/);
  expect(weeks[2]).toMatch(/^"2026-11-02","2026-11-02","2026-11-02","0",/);
  expect((await read({ table: 'source' }))[1]).toMatch(/^"2026-11-09","2026-11-09","Not recorded","20",/);
  const { headers } = await download(manager, { user: holder.id, period: 'days', ...DAYS, table: 'source' });
  expect(headers['content-disposition']).toBe('attachment; filename="report-by-source-2026-11-09.csv"');
});

test('a table by an own field has its choices, and what another field of money adds up to', async () => {
  const [admin, holder] = [await t.user('admin'), await t.user()];
  const create = async (body: NonNullable<Input<typeof createOwnField>['body']>) =>
    (await t.request(admin, createOwnField, { body })).body.id;
  const sold = await create({ name: 'Sold here', type: 'choices', choices: [{ label: 'Beer' }, { label: '=Wine' }] });
  const spent = await create({ name: 'Spent', type: 'money' });
  const note = await create({ name: 'Way in', type: 'text' });
  await t.lead(holder, { ...ASSIGNED, ownFields: { [sold]: ['1', '2'], [spent]: 49.55, [note]: 'yard' } });
  await t.lead(holder, { ...ASSIGNED, ownFields: { [sold]: ['1'], [spent]: 0.1 } });
  await t.lead(holder, { assignedAt: '2026-10-09T09:00:00.000Z', ownFields: { [sold]: ['1'], [spent]: 7 } });
  await t.lead(holder, ASSIGNED);
  const read = async (table: `field${number}`, sum: number) => {
    const file = await download(holder, { user: holder.id, table, sum });
    return { name: file.headers['content-disposition'], lines: readLines(file.body) };
  };
  const { name, lines } = await read(`field${sold}`, spent);
  expect(name).toBe(`attachment; filename="report-by-field${sold}-2026-11-01-to-2026-11-19.csv"`);
  expect(lines[0]).toMatch(/^\ufeff"From","To","Sold here","Assigned",.*,"Spent"$/);
  const toCells = (line: string) => [line.split(',').slice(0, 4).join(), line.split(',').at(-1)];
  expect(lines.slice(1, 5).map(toCells)).toEqual([
    ['"2026-11-01","2026-11-19","Beer","2"', '"49.65"'],
    ['"2026-11-01","2026-11-19","\'=Wine","1"', '"49.55"'],
    ['"2026-11-01","2026-11-19","No value","1"', '"0"'],
    ['"2026-10-01","2026-10-19","Beer","1"', '"7"'],
  ]);
  expect(lines).toHaveLength(7);
  // Leads keep the values of an archived field.
  await t.request(admin, archiveOwnField, { params: { fieldId: sold } });
  expect((await read(`field${sold}`, spent)).lines).toEqual(lines);

  for (const query of [{ table: `field${note}` as const }, { table: 'type' as const, sum: sold }, { sum: note }]) {
    const refused = await download(holder, { table: 'type', ...query, user: holder.id });
    expect(refused.json()).toMatchObject({ code: 'validation_failed' });
  }
  const gone = await download(holder, { user: holder.id, table: 'field2000000' });
  expect(gone.json()).toMatchObject({ message: 'This report is by a field that no longer exists' });
});

test('activity, what slipped and the pipeline are files, too', async () => {
  const holder = await t.user('user', { fullName: 'Grace Okafor' });
  await t.lead(holder, { assignedAt: '2026-11-02T09:00:00.000Z' });
  const { id } = await t.lead(holder, ASSIGNED);
  await t.request(holder, logContact.byId, { params: { id }, body: { outcome: 'spoke' } });
  const read = async (table: 'activity' | 'slipped' | 'pipeline') => {
    const { headers, body } = await download(holder, { user: holder.id, table });
    return [headers['content-disposition'], ...readLines(body)];
  };
  expect(await read('activity')).toEqual([
    'attachment; filename="report-activity-2026-11-01-to-2026-11-19.csv"',
    '\ufeff"From","To","Person","Calls","E-mails","Visits","Reached","Reached (%)"',
    '"2026-11-01","2026-11-19","Grace Okafor","1","0","0","1",""',
    '"2026-10-01","2026-10-19","Grace Okafor","0","0","0","0",""',
  ]);
  const [name, titles, ...people] = await read('slipped');
  expect(name).toBe('attachment; filename="report-slipped-2026-11-19.csv"');
  expect(titles).toMatch(/^\ufeff"Person","Overdue","Going quiet","Never contacted after 3 days",/);
  expect(people).toEqual([expect.stringMatching(/^"Grace Okafor","0","0","1",/)]);
  const [, , first] = await read('pipeline');
  expect(first).toBe('"New","1","0","0","","17.1"');
});

test('activity by day, the times of calls and the outcomes of lost leads are files', async () => {
  const holder = await t.user();
  const [called, refused, silent] = [
    await t.lead(holder, ASSIGNED),
    await t.lead(holder, ASSIGNED),
    await t.lead(holder, { ...ASSIGNED, status: 'closed_lost' }),
  ];
  await t.request(holder, logContact.byId, { params: { id: called.id }, body: { outcome: 'spoke' } });
  await t.request(holder, logContact.byId, { params: { id: refused.id }, body: { outcome: 'not_interested' } });
  expect(silent.status).toBe('closed_lost');
  const read = async (query: Input<typeof exportReport>['query']) => {
    const { headers, body } = await download(holder, { user: holder.id, ...query });
    return [headers['content-disposition'], ...readLines(body)];
  };
  const days = { period: 'days', from: '2026-11-18', to: '2026-11-19' } as const;
  expect(await read({ table: 'activity-by-day', ...days })).toEqual([
    'attachment; filename="report-activity-by-day-2026-11-18-to-2026-11-19.csv"',
    '\ufeff"From","To","Person","Calls","E-mails","Visits","Reached"',
    `"2026-11-19","2026-11-19","${holder.fullName}","2","0","0","2"`,
  ]);
  expect(await read({ table: 'call-times' })).toEqual([
    'attachment; filename="report-call-times-2026-11-01-to-2026-11-19.csv"',
    '\ufeff"Weekday","Hour","Calls","Reached","Percent","95% interval from","95% interval to"',
    '"Thursday","12:00–13:00","2","2","100","34","100"',
  ]);
  expect(await read({ table: 'lost-by-outcome' })).toEqual([
    'attachment; filename="report-lost-by-outcome-2026-11-01-to-2026-11-19.csv"',
    '\ufeff"Newest outcome","Lost leads"',
    '"No outcome logged","1"',
    '"Not interested","1"',
  ]);
});

test('the pipeline of a past day is a file of that day', async () => {
  const holder = await t.user();
  await t.lead(holder, { ...ASSIGNED, createdAt: '2026-11-10T09:00:00.000Z' });
  const read = async (asOf: string) => download(holder, { user: holder.id, table: 'pipeline', asOf });
  const [before, after] = [await read('2026-11-09'), await read('2026-11-12')];
  expect(after.headers['content-disposition']).toBe('attachment; filename="report-pipeline-2026-11-12.csv"');
  expect([readLines(before.body)[1], readLines(after.body)[1]]).toEqual([
    '"New","0","0","0","",""',
    '"New","1","0","0","","3.6"',
  ]);
  for (const asOf of ['2026-11-19', '2024-11-19', 'yesterday']) {
    expect((await read(asOf)).json()).toMatchObject({ code: 'validation_failed' });
  }
});

test('a name that a spreadsheet would run as a formula is text', async () => {
  const holder = await t.user();
  const { id } = await t.lead(holder, ASSIGNED);
  await t.request(holder, addTag.byId, { params: { id }, body: { tag: '=HYPERLINK("http://x")' } });
  const { body } = await download(holder, { user: holder.id, table: 'tag' });
  expect(readLines(body)[1]).toMatch(/,"'=HYPERLINK\(""http:\/\/x""\)","1",/);
});

test('the figures of others are refused to users, and nothing is recorded as exported', async () => {
  const [user, other] = [await t.user(), await t.user()];
  for (const query of [{}, { user: other.id }, { table: 'person' as const }]) {
    expect((await download(user, query)).json()).toMatchObject({ code: 'forbidden' });
  }
  expect(await listAudits(user)).toEqual([]);
  const manager = await t.user('manager');
  expect((await download(manager, { user: 2_147_483_647 })).statusCode).toBe(404);
  expect((await download(manager, { table: 'rumour' as never })).statusCode).toBe(400);
  expect((await download(manager, { period: 'days' })).statusCode).toBe(400);
});
