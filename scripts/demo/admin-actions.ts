import { setTimeout as sleep } from 'node:timers/promises';
import { login } from '#contract/auth/auth.calls.ts';
import { csvFile } from '#contract/csv.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { type listSweeps, startSweep } from '#contract/sweeps/sweeps.calls.ts';
import type { createApp } from '#server/app.ts';
import type { SamplePlace } from '#server/places/sample/sample.ts';
import { DEMO_PASSWORD } from './team.ts';

interface Actions {
  /** A business and the one that it is the duplicate of. */
  duplicate: { keptId: number; otherId: number };
  /** Businesses of a list that an admin got, with the user who is to have each. */
  listed: { place: SamplePlace; username: string }[];
}

const SWEEP = { businessType: 'Bakery', places: ['OX'] };
const MAX_SWEEP_MS = 60_000;
const BOUNDARY = 'demo-file';
const HEADER = ['Business Name', 'Address', 'Town', 'Phone', 'Email Address', 'Website', 'User', 'Custom Tag'];

/** One import, one sweep and one merge, made by the product itself, so that each can be looked at and undone. */
export async function actAsAdmin({ http }: Awaited<ReturnType<typeof createApp>>, username: string, actions: Actions) {
  const send = async (method: 'GET' | 'POST', url: string, payload?: object | string, headers = {}) => {
    const response = await http.inject({
      ...{ method, url, headers: { host: 'localhost', ...headers } },
      ...(payload !== undefined && { payload }),
    });
    if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${response.body}`);
    return response;
  };
  const { cookies } = await send('POST', login.path, { username, password: DEMO_PASSWORD });
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');

  const { keptId, otherId } = actions.duplicate;
  await send('POST', mergeBusinesses.path, { keptId, businessIds: [keptId, otherId] }, { cookie });

  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  await send('POST', importBusinesses.path, toForm('trade-fair.csv', toCsv(actions.listed)), { cookie, ...type });

  await send('POST', startSweep.path, SWEEP, { cookie });
  const started = Date.now();
  for (let running = true; running && Date.now() - started < MAX_SWEEP_MS; ) {
    await sleep(200);
    const { items } = (await send('GET', startSweep.path, undefined, { cookie })).json<
      typeof listSweeps.response._output
    >();
    running = items.some(({ state }) => state === 'running');
  }
}

function toCsv(listed: Actions['listed']): string {
  const rows = listed.map(({ place: { name, address, town, postcode, phone, email, website }, username }) => [
    ...[name, `${address}, ${town} ${postcode}`, town, phone ?? '', email ?? '', website ?? '', username, 'Trade fair'],
  ]);
  // A file has a line that cannot be used.
  return csvFile([HEADER, ...rows, ['', '', '', '01632 960000', '', '', '', '']]);
}

const toForm = (fileName: string, content: string) =>
  [
    `--${BOUNDARY}`,
    `content-disposition: form-data; name="file"; filename="${fileName}"`,
    'content-type: text/csv',
    '',
    content,
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n');
