import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImportResponse, importBusinesses } from '#contract/import/import.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { createAsker } from './asker.ts';
import { firstAdmin, signIn } from './people.ts';
import { startProduct } from './product.ts';
import { becomes, type Checks, type Proof, withCleanUp } from './proof.ts';

const ROWS = 5_000;
const SENT = 2_600;
const HEADER = 'Business Name,Address,Town';
const lines = Array.from({ length: ROWS }, (_, nth) => `Shop ${nth},${nth} High Street,Leeds`);
const FORM = 'Content-Disposition: form-data; name="file"; filename="a.csv"';

export const stoppedImport: Proof = {
  says: 'SIGTERM in the middle of an import: the sender learns how far it came, and the same file again completes it.',
  run: (_args, checks) => withCleanUp((later) => stopAnImport(checks, later)),
};

async function stopAnImport(checks: Checks, later: (undo: () => unknown) => void) {
  const dataDir = mkdtempSync(join(tmpdir(), 'highstreet-prove-'));
  later(() => rmSync(dataDir, { recursive: true, force: true }));
  const wanted = { dataDir };
  const first = await startProduct(wanted);
  later(first.kill);
  const asker = createAsker(first.url);
  later(asker.close);
  const { cookie, username } = await firstAdmin(asker);
  const leadsAt = async (each: typeof asker, session: string) =>
    (await each.ask(listLeads, {}, { cookie: session })).body.total ?? 0;

  const refused = beginImport(first.url, cookie);
  await becomes(async () => (await leadsAt(asker, cookie)) >= 2_000, 60_000);
  const started = Date.now();
  first.signal('SIGTERM');
  const [response, code] = await Promise.all([refused, first.exited]);
  const seconds = (Date.now() - started) / 1000;
  checks.holds(
    `the sender gets 503 shutting_down, and how far it came`,
    response.status === 503 && response.body.code === 'shutting_down' && response.body.importResults.successful > 0,
    `${response.status} ${response.body.code}, ${response.body.importResults?.successful} imported: "${response.body.message}"`,
  );
  checks.holds(
    `the process ends with 0 within 10 s`,
    code === 0 && seconds < 10,
    `${code} after ${seconds.toFixed(1)} s`,
  );

  const second = await startProduct(wanted);
  later(second.stop);
  const next = createAsker(second.url);
  later(next.close);
  const session = await signIn(next, username);
  const kept = await leadsAt(next, session);
  checks.holds(`what was reported is what is there`, kept === response.body.importResults?.successful, `${kept}`);
  const again = await next.importCsv<ImportResponse>(importBusinesses.path, `${HEADER}\n${lines.join('\n')}\n`, {
    cookie: session,
  });
  checks.holds(
    `the whole file again completes it`,
    again.status === 200 && again.body.alreadyThere === kept && again.body.importResults.successful === ROWS,
    `${again.body.alreadyThere} were there`,
  );
  const all = await leadsAt(next, session);
  checks.holds(`and makes exactly ${ROWS} leads`, all === ROWS, `${all}`);
}

type Told = { status: number; body: ImportResponse & { code: string } };

/** Sends more than half of the file, and then waits for what is said to that. */
function beginImport(url: string, cookie: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const sending = request(new URL(importBusinesses.path, url), {
      method: 'POST',
      agent: false,
      headers: { cookie, 'content-type': 'multipart/form-data; boundary=x' },
    });
    sending.on('error', reject);
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        sending.destroy();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      });
    });
    sending.write(`--x\r\n${FORM}\r\n\r\n${HEADER}\n${lines.slice(0, SENT).join('\n')}\n`);
  });
}
