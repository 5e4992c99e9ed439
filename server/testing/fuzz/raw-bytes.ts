import { connect } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';

/** Bytes that are not HTTP, or HTTP that attempts request smuggling. */
interface Raw {
  bytes: Buffer;
  /** Request smuggling: it must be refused, and the hidden request must get no response. */
  smuggling: boolean;
}

const TIMEOUT_MS = 15_000;
const latin = (text: string) => Buffer.from(text, 'latin1');
const lines = (...each: string[]) => `${each.join('\r\n')}\r\n\r\n`;
const HOST = 'Host: localhost';
const JSON_TYPE = 'Content-Type: application/json';
const HIDDEN = lines('GET /api/users HTTP/1.1', HOST);

const SMUGGLED = [
  lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 6', 'Transfer-Encoding: chunked') +
    `0\r\n\r\n${HIDDEN}`,
  lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked', 'Content-Length: 3') +
    `8\r\nSMUGGLED\r\n0\r\n\r\n${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 2', 'Content-Length: 44')}{}${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: xchunked')}0\r\n\r\n${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding : chunked')}0\r\n\r\n${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: +2')}{}${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 2, 2')}{}${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 0x2')}{}${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked')}-1\r\n${HIDDEN}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked')}fffffffffffffffff\r\n${HIDDEN}`,
  `POST /api/login HTTP/1.1\r\n${HOST}\r\nX: a\r\n b: c\rContent-Length: 2\r\n\r\n{}${HIDDEN}`,
].map((text) => ({ bytes: latin(text), smuggling: true }));

const UNUSUAL = [
  ...[
    '',
    '\r\n\r\n',
    '\u0000'.repeat(100),
    'GET',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'get / http/1.1\r\n\r\n',
  ],
  lines('CONNECT evil.example:443 HTTP/1.1', HOST),
  lines('TRACE / HTTP/1.1', HOST),
  lines('OPTIONS * HTTP/1.1', HOST),
  `${lines('PRI * HTTP/2.0')}SM\r\n\r\n`,
  lines('GET http://evil.example/api/user HTTP/1.1', HOST),
  lines('GET /api/user HTTP/1.1', HOST, 'Host: evil.example'),
  lines('GET /api/user HTTP/1.1', HOST, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'),
  lines('GET /api/user HTTP/1.1', HOST, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: x'),
  lines(`GET /${'a'.repeat(100_000)} HTTP/1.1`, HOST),
  lines('GET / HTTP/1.1', HOST, `X: ${'a'.repeat(100_000)}`),
  lines('GET / HTTP/1.1', HOST, ...Array.from({ length: 4_000 }, (_, nth) => `X-${nth}: 1`)),
  lines('GET / HTTP/1.1', HOST, `Cookie: ${'hs_session=x; '.repeat(500)}`),
  lines('GET / HTTP/1.1', HOST, 'Cookie: hs_session=\xff\xfe; __proto__=1'),
  lines('GET /api/user\xff HTTP/1.1', HOST),
  lines('GET /\x00 HTTP/1.1', HOST),
  lines('GET // HTTP/1.1', HOST),
  lines('GET /..%2f..%2f..%2fetc/passwd HTTP/1.1', HOST),
  lines('GET /assets/..\\..\\server\\main.js HTTP/1.1', HOST),
  lines('GET /%ff%fe%fd HTTP/1.1', HOST),
  lines('HEAD /api/user HTTP/1.1', HOST) + lines('GET /api/user HTTP/1.1', HOST),
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: -1')}{}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 99999999999999999999')}{}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 1073741824')}{}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 50')}{}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 4')}\xff\xfe\xc0\xaf`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Expect: 100-continue', 'Content-Length: 2')}{}`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Expect: something-else', 'Content-Length: 2')}{}`,
  lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked') +
    `2;${'x'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`,
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\nX: y\r\n\r\n`,
  `${lines(
    'POST /api/businesses/import HTTP/1.1',
    HOST,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 9',
  )}--x\r\n\r\n--`,
].map((text) => ({ bytes: latin(text), smuggling: false }));

const VALID = latin(
  `${lines('POST /api/login HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 33')}{"username":"ada","password":"x"}\n`,
);

/** A valid request with some bytes changed. */
const mutated: Arbitrary<Raw> = fc
  .array(fc.tuple(fc.nat(VALID.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  .map((changes) => {
    const bytes = Buffer.from(VALID);
    for (const [at, value] of changes) bytes[at] = value;
    return { bytes, smuggling: false };
  });
const noise: Arbitrary<Raw> = fc
  .uint8Array({ minLength: 1, maxLength: 2_000 })
  .map((bytes) => ({ bytes: Buffer.from(bytes), smuggling: false }));

export const rawBytes: Arbitrary<Raw> = fc.oneof(
  fc.constantFrom(...UNUSUAL),
  fc.constantFrom(...SMUGGLED),
  mutated,
  noise,
);
/** Each fixed case once. */
export const FIXED_BYTES: Raw[] = [...UNUSUAL, ...SMUGGLED];

/** Sends the bytes, ends the sending side, and reads until the server closes. Returns why the response is wrong, if it is. */
export async function sendRaw(port: number, { bytes, smuggling }: Raw): Promise<string | undefined> {
  const response = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const timer = setTimeout(() => {
      socket.destroy();
      resolve('HANG');
    }, TIMEOUT_MS);
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {}); // a closed connection is a valid response
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.end(bytes);
  });
  if (response === 'HANG') return 'neither a response nor a closed connection';
  const statuses = [...response.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  const serverError = statuses.find((status) => status >= 500);
  if (serverError) return `status ${serverError}`;
  // At most one refusal: the hidden request must not get a response.
  if (smuggling && (statuses.length > 1 || statuses.some((status) => status < 400)))
    return `parsed as several requests: ${statuses}`;
  return undefined;
}
