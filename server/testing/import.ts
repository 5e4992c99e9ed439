import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import { type ImportResponse, importBusinesses, importResponse } from '#contract/import/import.calls.ts';
import { businesses, leads, users } from '#server/kit/db/schema.ts';
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

/** Sends a file as the browser would. */
export async function importFile(
  t: TestApp,
  user: { cookie: string } | null,
  file: string | Buffer,
  options: FileOptions = {},
) {
  const response = await t.inject({
    method: 'POST',
    url: importBusinesses.path,
    payload: buildForm(file, options),
    headers: { 'content-type': FORM, ...(user && { cookie: user.cookie }), ...options.headers },
  });
  requireNoSecret(response.body);
  const body = response.json() as ImportResponse & { code?: string };
  if (response.statusCode < 300) importResponse.parse(body);
  return { status: response.statusCode, headers: response.headers, body };
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
