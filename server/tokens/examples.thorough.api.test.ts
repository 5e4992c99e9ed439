import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { getLead } from '#contract/leads/leads.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { ROOT } from '#server/paths.ts';
import { scratchFolder } from '#server/testing/databases.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

// The generator needs the compiler's programming interface, which the compiler of this product no longer has.
vi.mock('typescript', async () => {
  const { ts } = await import('@ts-morph/common');
  return { ...ts, default: ts };
});

const run = promisify(execFile);
const example = (name: string) => join(ROOT, 'examples', name);

let t: TestApp;
let user: TestUser;
let env: Record<'HIGHSTREET_URL' | 'HIGHSTREET_TOKEN', string>;
beforeAll(async () => {
  t = await testApp();
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(async () => {
  user = await t.user('admin', { fullName: 'Ada Admin' });
  const { secret } = await t.program(user, { rights: 'write' });
  const { port } = t.app.http.server.address() as AddressInfo;
  env = { HIGHSTREET_URL: `http://localhost:${port}`, HIGHSTREET_TOKEN: secret };
});
afterAll(() => t.close());

const start = (program: string, args: string[]) => run(program, args, { env: { ...process.env, ...env } });

test('won-leads.mjs writes each won lead once', async () => {
  const file = join(scratchFolder('example'), 'won.csv');
  const lead = await t.lead(
    user,
    { status: 'closed_won', customFields: { value: '1200' } },
    { name: '=Rose "&" Thorn' },
  );
  const open = await t.lead(user);
  const first = await start(process.execPath, [example('won-leads.mjs'), file]);
  expect(first.stdout).toMatch(/^[1-9]\d* new won leads\n$/);
  expect((await start(process.execPath, [example('won-leads.mjs'), file])).stdout).toBe('0 new won leads\n');
  const written = readFileSync(file, 'utf8');
  expect(written).toContain(`"${lead.uuid}","'=Rose ""&"" Thorn","","Ada Admin","1200"\n`);
  expect(written).not.toContain(open.uuid);
});

test('send-leads.sh sends each line once', async () => {
  const file = join(scratchFolder('example'), 'lines.txt');
  writeFileSync(file, '4711;Quill & "Ink";0113 496 0801\n4712;Zephyr Kites;0113 496 0802\n');
  const first = JSON.parse((await start('sh', [example('send-leads.sh'), 'web-form', file])).stdout);
  expect(first.counts).toMatchObject({ created: 2 });
  expect(JSON.parse((await start('sh', [example('send-leads.sh'), 'web-form', file])).stdout)).toEqual(first);
  const { body } = await t.request(user, getLead.byId, { params: { id: first.results[0].lead.id } });
  expect(body.business).toMatchObject({ name: 'Quill & "Ink"', phone: '0113 496 0801' });
});

interface Node {
  name: string;
  type: string;
  parameters: { method: string; url: string; jsonBody: string };
}

test('the requests of the workflow for n8n make a lead and its comment', async () => {
  const { nodes, connections } = JSON.parse(readFileSync(example('n8n-web-form.json'), 'utf8'));
  const form = { business: 'Lantern Books', email: 'ben@lantern.example', phone: '0113 496 0803', message: 'Call me' };
  const requests = (nodes as Node[]).filter(({ type }) => type === 'n8n-nodes-base.httpRequest');
  expect(Object.keys(connections)).toEqual((nodes as Node[]).slice(0, -1).map(({ name }) => name));
  const item = { json: { body: form } };
  let answer: Record<string, unknown> = item.json;
  for (const { parameters } of requests) {
    // As n8n does: text that begins with "=", with expressions in braces.
    const evaluate = (text: string) =>
      text
        .slice(1)
        .replace(/\{\{(.+?)\}\}(?=\/|$)/gs, (_, expression: string) =>
          vm.runInNewContext(expression, { $json: answer, $env: env, $: () => ({ item }) }),
        );
    const response = await fetch(evaluate(parameters.url), {
      method: parameters.method,
      headers: { authorization: `Bearer ${env.HIGHSTREET_TOKEN}`, 'content-type': 'application/json' },
      body: evaluate(parameters.jsonBody),
    });
    expect(response.ok, await response.clone().text()).toBe(true);
    const sent = (await response.json()) as Record<string, unknown>;
    if (parameters.url.includes('upsert')) answer = sent;
  }
  const { lead } = (answer.results as { lead: { id: number } }[])[0] ?? {};
  const { body } = await t.request(user, getTimeline.byId, { params: { id: lead?.id ?? 0 } });
  expect(body.items).toContainEqual(
    expect.objectContaining({ kind: 'comment', text: 'Wrote in the web form: Call me' }),
  );
});

test('types of a client are made of the description, and the client lists, changes and exports leads', async () => {
  const lead = await t.lead(user, {}, { name: 'Harbour Cafe' });
  env.HIGHSTREET_TOKEN = (await t.program(user, { rights: 'write', ownLeads: true })).secret;
  const headers = { authorization: `Bearer ${env.HIGHSTREET_TOKEN}` };
  const description = await (await fetch(`${env.HIGHSTREET_URL}/api/openapi.json`, { headers })).json();
  const folder = scratchFolder('example');
  writeFileSync(join(folder, 'highstreet-api.d.ts'), astToString(await openapiTS(description as never)));
  copyFileSync(example('typed-client.ts'), join(folder, 'typed-client.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const options = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
    '--target',
    'es2023',
  ];
  const types = ['--module', 'preserve', '--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
  await start(bin('tsc'), [...options, ...types, join(folder, 'typed-client.ts')]).catch((error) => {
    throw new Error(error.stdout);
  });
  const { stdout } = await start(bin('tsx'), [join(folder, 'typed-client.ts')]);
  expect(stdout).toContain('Harbour Cafe: qualified\n');
  expect(stdout).toContain('\n"Harbour Cafe",');
  expect((await t.request(user, getLead.byId, { params: { id: lead.id } })).body.userBusiness.status).toBe('qualified');
});
