import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as modern from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchFolder } from '#server/testing/databases.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let url: string;
let user: TestUser;
let folder: string;

beforeAll(async () => {
  t = await testApp();
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(t.app.http.server.address() as AddressInfo).port}`;
  user = await t.user();
  folder = scratchFolder('bridge');
});
afterAll(() => t.close());

const bridge = (token: string, to = url) => {
  const file = join(folder, `${token.slice(-6)}.txt`);
  writeFileSync(file, `${token}\n`);
  return { command: process.execPath, args: ['scripts/mcp.mjs', '--url', to, '--token-file', file] };
};

test('clients of both generations work through standard input', async () => {
  await t.lead(user, {}, { name: 'Copper Kettle' });
  const { secret } = await t.program(user);
  const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
  const clients = [
    {
      client: new modern.Client({ name: 'test', version: '1' }, pinned),
      transport: new StdioClientTransport(bridge(secret)),
    },
    { client: new OldClient({ name: 'test', version: '1' }), transport: new OldStdio(bridge(secret)) },
  ];
  for (const { client, transport } of clients) {
    await client.connect(transport as never); // each has its own
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('list_leads');
    expect(JSON.stringify(await client.callTool({ name: 'list_leads', arguments: {} }))).toContain('Copper Kettle');
    await client.close();
  }
});

test('a refusal is an answer, and wrong options end it', async () => {
  const run = ({ command, args }: ReturnType<typeof bridge>, input = '') =>
    spawnSync(command, args, { input, encoding: 'utf8' });
  const { secret } = await t.program(user);
  const wrong = `hs_${'a'.repeat(secret.length - 3)}`;
  const list = `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`;
  // Nothing listens on this port.
  const { stdout } = run(bridge(secret, 'http://127.0.0.1:9'), `${list}no json\n`);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        id: 7,
        error: expect.objectContaining({ message: expect.stringContaining('cannot be reached') }),
      }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_700 }) }),
    ]),
  );
  expect(run(bridge(secret, 'http://crm.example.com')).stderr).toContain('must begin with https://');
  expect(run(bridge('nonsense')).stderr).toContain('begins with hs_');
  expect(run({ ...bridge(secret), args: ['scripts/mcp.mjs'] })).toMatchObject({ status: 1, stdout: '' });
  const client = new OldClient({ name: 'test', version: '1' });
  await expect(client.connect(new OldStdio({ ...bridge(wrong), stderr: 'ignore' }))).rejects.toThrow(
    'This token is not valid',
  );
});
