// Appends the leads that were won since the last run to a CSV file: node examples/won-leads.mjs won.csv
// Needs Node 20, HIGHSTREET_URL and HIGHSTREET_TOKEN (a token that may read).
import { appendFile, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { HIGHSTREET_URL: url, HIGHSTREET_TOKEN: token } = process.env;
const [file] = process.argv.slice(2);
if (!url || !token || !file) {
  console.error('usage: HIGHSTREET_URL=… HIGHSTREET_TOKEN=… node won-leads.mjs FILE.csv');
  process.exit(2);
}

/** Waits where the server says so, and repeats. */
async function get(path) {
  const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
  if (response.status === 429) {
    await wait(Number(response.headers.get('retry-after')) * 1000);
    return get(path);
  }
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${body.code}: ${body.message}`);
  return body;
}

/** A spreadsheet must not run what begins like a formula. */
const cell = (text) =>
  `"${String(text ?? '')
    .replace(/^[=+\-@\t\r]/, "'$&")
    .replaceAll('"', '""')}"`;

const COLUMNS = ['Lead', 'Business', 'Phone', 'Holder', 'Value'];
const known = await readFile(file, 'utf8').catch(() => '');
const written = new Set([...known.matchAll(/^"([0-9a-f-]{36})"/gm)].map(([, uuid]) => uuid));
if (!known) await appendFile(file, `${COLUMNS.map(cell).join(',')}\n`);

let count = 0;
for (let after = 0; after !== null; ) {
  const page = await get(`/api/leads?status=closed_won&hideClosed=false&pageSize=100&after=${after}`);
  const won = page.items.filter(({ userBusiness }) => !written.has(userBusiness.uuid));
  const lines = won.map(({ userBusiness: lead, business, user }) =>
    [lead.uuid, business.name, business.phone, user.fullName, lead.customFields.value].map(cell).join(','),
  );
  if (lines.length) await appendFile(file, `${lines.join('\n')}\n`);
  count += lines.length;
  after = page.next;
}
console.log(`${count} new won leads`);
