import fc, { type Arbitrary } from 'fast-check';
import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import { arbitraryFor, hostile } from './from-schema.ts';

export const CALLERS = ['anonymous', 'user', 'manager', 'admin', 'invalid cookie'] as const;
export type Caller = (typeof CALLERS)[number];

/** Callers with more permissions reach more code, so they are used more often. */
const WEIGHTED_CALLERS: Caller[] = [...CALLERS, 'user', 'user', 'admin', 'admin', 'admin'];

/** An existing row, resolved when the request is sent: the nth of its kind. */
export type Reference = 'lead' | 'uuid' | 'business' | 'place' | 'activity' | 'user' | 'notification';

export interface FuzzRequest {
  caller: Caller;
  method: string;
  /** With references such as {{lead:3}}. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Method and path pattern, for the report. */
  call: string;
}

const REFERENCES: Record<string, (call: AnyCall) => Reference> = {
  id: ({ path }) =>
    path.startsWith('/api/users/') ? 'user' : path.includes('notifications') ? 'notification' : 'lead',
  uuid: () => 'uuid',
  businessId: () => 'business',
  placeId: () => 'place',
  activityId: () => 'activity',
};

const reference = (kind: Reference) => fc.nat(9).map((nth) => `{{${kind}:${nth}}}`);
const encode = (value: unknown) => {
  try {
    return encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
  } catch {
    return '%ED%A0%80'; // half of a surrogate pair, as bytes
  }
};
const RAW_PATHS = [
  '%00',
  '%zz',
  '%',
  '..%2f..%2f',
  '%c0%af',
  '%ff%fe',
  '.',
  '..',
  '%2e%2e',
  '1;2',
  '1,2',
  '*',
  '%20',
  '',
];

/** Requests of one call, with path, query, headers and body mostly by its schemas. */
function requestsFor(call: AnyCall): Arbitrary<FuzzRequest> {
  const body = call.upload ? forms(call.upload) : jsonBodiesFor(call);
  return fc
    .record({
      caller: fc.constantFrom(...WEIGHTED_CALLERS),
      path: pathsFor(call),
      query: queriesFor(call),
      sent: body,
      more: extraHeaders,
    })
    .map(({ caller, path, query, sent, more }) => ({
      caller,
      method: call.method,
      path: path + query,
      headers: { ...sent.headers, ...more },
      ...(call.method !== 'GET' && sent.body !== undefined && { body: sent.body }),
      call: `${call.method} ${call.path}`,
    }));
}

function pathsFor(call: AnyCall): Arbitrary<string> {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const segments = names.map((name) => {
    const kind = REFERENCES[name]?.(call);
    const usual = kind ? reference(kind) : arbitraryFor(findParamSchema(call, name)).map(encode);
    return fc.oneof(
      { weight: 8, arbitrary: usual },
      { weight: 1, arbitrary: hostile.map(encode) },
      { weight: 1, arbitrary: fc.constantFrom(...RAW_PATHS) },
    );
  });
  return fc.tuple(...segments).map((values) => {
    let nth = 0;
    return call.path.replace(/:\w+/g, () => values[nth++] ?? '');
  });
}

const readShape = (schema: AnyCall['params']) =>
  (schema._zod.def as unknown as { shape?: Record<string, AnyCall['params']> }).shape ?? {};

function findParamSchema(call: AnyCall, name: string): AnyCall['params'] {
  const schema = readShape(call.params)[name];
  if (!schema) throw new Error(`${call.path} does not describe ${name}`);
  return schema;
}

function queriesFor(call: AnyCall): Arbitrary<string> {
  const pairs = Object.entries(readShape(call.query)).map(([name, schema]) =>
    fc.option(
      fc.tuple(
        fc.constant(name),
        arbitraryFor(schema).map((value) => (typeof value === 'symbol' ? '' : encode(value))),
      ),
      { freq: 2, nil: undefined },
    ),
  );
  const stray = fc.constantFrom(
    '',
    '',
    '',
    '&x=1',
    '&page=1&page=2',
    '&q[]=1',
    '&__proto__=1',
    '&%zz',
    '&q=%00',
    '&&==',
  );
  return fc.tuple(fc.tuple(...pairs), stray).map(([known, more]) => {
    const text = known.flatMap((pair) => (pair ? [pair.join('=')] : [])).join('&') + more;
    return text ? `?${text}` : '';
  });
}

interface Payload {
  headers: Record<string, string>;
  body?: string;
}

/** Half of the ids in bodies reference existing rows. */
const BODY_REFERENCES: Record<string, Reference> = { userId: 'user', newUserId: 'user', businessId: 'business' };

function jsonBodiesFor(call: AnyCall): Arbitrary<Payload> {
  const asJson = fc.tuple(arbitraryFor(call.body), fc.nat(9), fc.boolean()).map(([value, nth, real]) => {
    const text = JSON.stringify(value, (key, inner) => {
      const kind = BODY_REFERENCES[key];
      return real && kind ? `{{${kind}:${nth}}}` : real && key === 'ids' ? [`{{lead:${nth}}}`, `{{lead:0}}`] : inner;
    });
    // A reference becomes a number, so it loses its quotes.
    return (text ?? 'null').replaceAll(/"(\{\{\w+:\d\}\})"/g, '$1');
  });
  const broken = fc.constantFrom(
    ...['', '{', '[', '"', 'nul', '{"a":1,}', '\ufeff{}', '{}{}', '{"a":\u0001}', '1e999999', '{"__proto__":{"x":1}}'],
    ...['['.repeat(20_000), '{"a":'.repeat(5_000), `"${'x'.repeat(300_000)}"`, '{"a":1,"a":2}', '\u0000'],
  );
  const json = { 'content-type': 'application/json' };
  return fc.oneof(
    { weight: 14, arbitrary: asJson.map((body) => ({ headers: json, body })) },
    { weight: 2, arbitrary: broken.map((body) => ({ headers: json, body })) },
    {
      weight: 1,
      arbitrary: fc.tuple(types, asJson).map(([type, body]) => ({ headers: { 'content-type': type }, body })),
    },
    { weight: 1, arbitrary: fc.constant({ headers: {} }) },
  );
}

const types = fc.constantFrom(
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-16',
    '',
    '/',
  ],
  ...['multipart/form-data; boundary=', 'application/jsonp', 'application/json, text/plain', 'application/json;;;'],
);

function forms(field: string): Arbitrary<Payload> {
  const cell = fc.oneof(fc.constantFrom('Shop', '', '"', '"a""b"', '=1+1', '\u0000', 'x'.repeat(11_000)), fc.string());
  const header = fc.constantFrom(
    'Business Name,Town,User,Tags',
    'Business Name',
    'Name',
    '__proto__,Business Name',
    '',
  );
  const file = fc
    .tuple(header, fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r'))
    .map(([first, rows, end]) => [first, ...rows.map((cells) => cells.join(','))].join(end));
  const names = fc.constantFrom(field, field, field, 'other', '');
  const fileNames = fc.constantFrom('a.csv', 'A.CSV', 'a.xlsx', '../../a.csv', '', 'a.csv\u0000.exe');
  const ends = fc.constantFrom('\r\n--x--\r\n', '\r\n--x--\r\n', '\r\n--x\r\n', '');
  return fc.tuple(names, fileNames, file, ends).map(([name, fileName, content, end]) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n${content}${end}`,
  }));
}

/** Occasionally a header that changes how a request is handled. */
const extraHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, string>>(
      ...[{ 'idempotency-key': 'same-key-again' }, { 'idempotency-key': '!' }, { 'idempotency-key': 'x'.repeat(200) }],
      ...[{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }],
      ...[
        { 'x-forwarded-for': '::1, 1.2.3.4, x' },
        { 'x-http-method-override': 'DELETE' },
        { 'content-encoding': 'gzip' },
      ],
      ...[{ host: 'evil.example' }, { 'accept-encoding': 'x'.repeat(500) }, { range: 'bytes=9-1' }, { expect: 'x' }],
    ),
  },
);

/** Requests of every call of the contract by every caller. */
export const requests: Arbitrary<FuzzRequest> = fc.oneof(...Object.values(CALLS).flat().map(requestsFor));
