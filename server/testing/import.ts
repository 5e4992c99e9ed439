import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type ImportResponse, importBusinesses, importResponse } from '#contract/import/import.calls.ts';
import { type ImportJob, type importChoices, importJob } from '#contract/import/import-job.ts';
import { checkImport, createImport, getImport, mapImport, startImport } from '#contract/import/import-jobs.calls.ts';
import type { ImportTarget } from '#contract/import/import-target.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { requireNoSecret, type TestApp, type TestUser } from './test-app.ts';

const BOUNDARY = 'a-boundary-of-the-tests';
export const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

interface FileOptions {
  field?: string;
  fileName?: string;
  headers?: Record<string, string>;
}

/** The parts of a multipart form before and after the file. */
export function formParts({ field = 'file', fileName = 'leads.csv' }: FileOptions = {}) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n`;
  return { head: `${head}Content-Type: text/csv\r\n\r\n`, tail: `\r\n--${BOUNDARY}--\r\n` };
}

export function buildForm(file: string | Buffer, options: FileOptions = {}): Buffer {
  const { head, tail } = formParts(options);
  return Buffer.concat([Buffer.from(head), Buffer.from(file), Buffer.from(tail)]);
}

const sendForm = (t: TestApp, url: string, user: { cookie: string } | null, payload: Buffer, headers = {}) =>
  t.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': FORM, ...(user && { cookie: user.cookie }), ...headers },
  });

/** Sends a file as the browser would. */
export async function importFile(
  t: TestApp,
  user: { cookie: string } | null,
  file: string | Buffer,
  options: FileOptions = {},
) {
  const response = await sendForm(t, importBusinesses.path, user, buildForm(file, options), options.headers);
  requireNoSecret(response.body);
  const body = response.json() as ImportResponse & { code?: string };
  if (response.statusCode < 300) importResponse.parse(body);
  return { status: response.statusCode, headers: response.headers, body };
}

/** Uploads a file as an import with chosen columns. */
export async function uploadImport(
  t: TestApp,
  user: { cookie: string } | null,
  file: string | Buffer,
  options: FileOptions = {},
) {
  const response = await sendForm(t, createImport.path, user, buildForm(file, options), options.headers);
  const body = response.json() as ImportJob & { code?: string };
  if (response.statusCode < 300) importJob.parse(body);
  return { status: response.statusCode, body };
}

/** The import once it is no longer being checked or imported. */
export async function waitForImport(t: TestApp, user: TestUser, id: string): Promise<ImportJob> {
  for (;;) {
    const { body } = await t.request(user, getImport, { params: { id } });
    if (body.state !== 'checking' && body.state !== 'running') return body;
    await pause(20);
  }
}

/** Uploads, maps and checks a file, and returns it with its preview. */
export async function checkFile(
  t: TestApp,
  user: TestUser,
  file: string | Buffer,
  { targets, choices = {}, ...options }: FileOptions & { targets?: ImportTarget[]; choices?: Choices } = {},
): Promise<ImportJob> {
  const { body: draft } = await uploadImport(t, user, file, options);
  const params = { id: draft.id };
  if (targets) {
    const { sheet, headerRow } = draft;
    await t.request(user, mapImport, { params, body: { sheet, headerRow, targets } });
  }
  return checkAgain(t, user, draft.id, choices);
}

type Choices = z.input<typeof importChoices>;

/** Checks a file with other choices. */
export async function checkAgain(t: TestApp, user: TestUser, id: string, choices: Choices): Promise<ImportJob> {
  await t.request(user, checkImport, { params: { id }, body: choices });
  return waitForImport(t, user, id);
}

/** Starts a checked import, and waits for its end. */
export async function startAndWait(t: TestApp, user: TestUser, id: string): Promise<ImportJob> {
  await t.request(user, startImport, { params: { id } });
  return waitForImport(t, user, id);
}

/** An upload over a real connection that is sent bit by bit. */
export async function slowImport(t: TestApp, user: TestUser, headers: Record<string, string> = {}) {
  if (!t.app.http.server.listening) await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = t.app.http.server.address() as AddressInfo;
  const { head, tail } = formParts();
  const sending = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: importBusinesses.path,
    headers: { 'content-type': FORM, cookie: user.cookie, ...headers },
  });
  const response = new Promise<{ status: number; body: Record<string, unknown> }>((answered, failed) => {
    sending.on('error', failed);
    sending.on('response', (response) => {
      let text = '';
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => answered({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });
  response.catch(() => {}); // a test that cuts the connection does not wait for it
  sending.write(head);
  return {
    response,
    write: (text: string) => sending.write(text),
    end: () => sending.end(tail),
    cut: () => sending.destroy(),
  };
}

/** A name that no other test uses. */
export const unique = (name: string) => `${name} ${randomBytes(5).toString('hex')}`;

/** The leads on businesses whose name begins so, in the order of their names. */
export async function findLeadsNamed(t: TestApp, beginning: string) {
  const rows = await t.db
    .select({ lead: leads, business: businesses, holder: users.username })
    .from(leads)
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .innerJoin(users, eq(users.id, leads.userId))
    .where(sql`starts_with(${businesses.name}, ${beginning})`);
  return rows.sort((a, b) => a.business.name.localeCompare(b.business.name) || a.lead.id - b.lead.id);
}
