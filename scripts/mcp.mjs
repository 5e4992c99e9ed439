// npm run --silent mcp -- --url https://crm.example.com --token-file FILE
// For assistants that start a program instead of opening an address: a message of MCP per line of standard input is sent to
// /mcp, and each answer is a line of standard output. It needs no package and no build.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const USAGE = 'Usage: npm run --silent mcp -- --url URL --token-file FILE';
const PROTOCOL_KEY = 'io.modelcontextprotocol/protocolVersion';
const TIMEOUT_MS = 120_000;
/** What JSON-RPC leaves to servers. */
const SERVER_ERROR = -32_000;

/**
 * @typedef {{ id?: string | number | null, method?: string, result?: { protocolVersion?: string },
 *   params?: { name?: unknown, _meta?: Record<string, unknown> } }} Message
 */

const { url, token } = readOptions();
/** What the initialization of a client of 2025 has agreed on; those of 2026 say it in each message. @type {string | undefined} */
let agreedProtocol;
/** @type {Set<Promise<void>>} */
const pending = new Set();

for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const sent = forward(line).finally(() => pending.delete(sent));
  pending.add(sent);
  // What follows depends on it.
  if (line.includes('"initialize"')) await sent;
}
await Promise.all(pending);

function readOptions() {
  try {
    const { values } = parseArgs({ options: { url: { type: 'string' }, 'token-file': { type: 'string' } } });
    if (!values.url || !values['token-file']) throw new Error(USAGE);
    const url = new URL('/mcp', values.url);
    const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    if (url.protocol !== 'https:' && !local)
      throw new Error('The address must begin with https://: the token is sent to it');
    // npm runs in the folder of package.json; file names are relative to where it was called.
    const token = readFileSync(resolve(process.env.INIT_CWD ?? '.', values['token-file']), 'utf8').trim();
    if (!/^hs_\w+$/.test(token)) throw new Error('The file has no token, which begins with hs_');
    return { url, token };
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exit(1);
  }
}

/** @param {string} line */
async function forward(line) {
  /** @type {Message} */
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return write({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } });
  }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersFor(message),
      body: line,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answers = await readAnswers(response);
    for (const answer of answers) {
      if (message.method === 'initialize') agreedProtocol = answer.result?.protocolVersion;
      write(answer);
    }
    if (!answers.length && !response.ok) fail(message, `The server answered with ${response.status}`);
  } catch (error) {
    fail(message, describe(/** @type {Error} */ (error)));
  }
}

/** @param {Message} message */
function headersFor({ method, params }) {
  const stated = params?._meta?.[PROTOCOL_KEY];
  const name = typeof params?.name === 'string' && /^[\w.-]+$/.test(params.name) ? params.name : undefined;
  const protocol = typeof stated === 'string' ? stated : agreedProtocol;
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(protocol && { 'mcp-protocol-version': protocol }),
    ...(stated !== undefined && method && { 'mcp-method': method, ...(name && { 'mcp-name': name }) }),
  };
}

/**
 * The messages of a response: of JSON, or of a stream of events. A refusal of the product is no message of MCP.
 * @param {Response} response
 * @returns {Promise<Message[]>}
 */
async function readAnswers(response) {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    const events = text.split(/\r?\n\r?\n/).map((event) => event.match(/^data: ?(.*)$/m)?.[1]);
    return events.filter((data) => data).map((data) => JSON.parse(data ?? ''));
  }
  if (!type.startsWith('application/json') || !text) return [];
  const body = JSON.parse(text);
  if (Array.isArray(body) || body.jsonrpc) return [body].flat();
  const wait = response.headers.get('retry-after');
  throw new Error(wait ? `${body.message} Try again in ${wait} seconds.` : body.message);
}

/** @param {Error} error */
function describe({ message, cause }) {
  if (message !== 'fetch failed') return message;
  return `${url.origin} cannot be reached: ${/** @type {Error | undefined} */ (cause)?.message}`;
}

/** @param {Message} message @param {string} reason */
function fail({ id }, reason) {
  console.error(reason);
  if (id !== undefined) write({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: reason } });
}

/** @param {object} message */
function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
