import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLookup } from './addresses.ts';
import { MAX_ANSWER_BYTES, post } from './post.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const LOCAL = { allowHttp: true, allowPrivate: true };
const message = { headers: { 'webhook-id': 'evt_1' }, body: '{"type":"webhook.test"}' };
const send = (port: number, options = {}) =>
  post(`http://127.0.0.1:${port}/hook?a=1`, message, { ...LOCAL, ...options });

test('the body is posted as it is, and the answer is kept', async () => {
  const received: unknown[] = [];
  const port = await listen(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push(request.method, request.url, request.headers['webhook-id'], Buffer.concat(parts).toString());
    response.writeHead(204).end();
  });
  expect(await send(port)).toMatchObject({ status: 204, error: null, answer: '' });
  expect(received).toEqual(['POST', '/hook?a=1', 'evt_1', message.body]);
});

test.each([
  [200, null],
  [299, null],
  [301, '301: redirects are not followed'],
  [307, '307: redirects are not followed'],
  [400, 'Answered with 400'],
  [410, 'Answered with 410'],
  [503, 'Answered with 503'],
])('%i: only 2xx is a success', async (status, error) => {
  const urls: unknown[] = [];
  const port = await listen((request, response) => {
    urls.push(request.url);
    response.writeHead(status, { location: '/elsewhere', 'retry-after': '120' }).end('said\0so');
  });
  expect(await send(port)).toEqual({ status, error, answer: 'saidso', retryAfter: '120' });
  expect(urls).toEqual(['/hook?a=1']);
});

test('an endless answer is cut off, and one that drips ends within the limit: the status has decided', async () => {
  const endless = await listen((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  const { status, answer } = await send(endless);
  expect([status, answer.length]).toEqual([200, MAX_ANSWER_BYTES]);
  const dripping = await listen((_, response) => {
    response.writeHead(200).write('a');
    const timer = setInterval(() => response.write('b'), 50);
    response.on('close', () => clearInterval(timer));
  });
  expect(await send(dripping, { timeoutMs: 300 })).toMatchObject({ status: 200, error: null });
});

test('a receiver that does not answer is given up after the limit, and one that hangs up at once', async () => {
  const silent = await listen(() => {});
  const answer = await send(silent, { timeoutMs: 200 });
  expect(answer).toMatchObject({ status: null, error: 'No answer within 0.2 seconds' });
  const rude = await listen((request) => request.socket.destroy());
  expect(await send(rude)).toMatchObject({ status: null, error: 'The connection failed: ECONNRESET' });
  expect(await post('http://127.0.0.1:1/', message, LOCAL)).toMatchObject({
    error: 'The connection failed: ECONNREFUSED',
  });
});

test('a name that leads elsewhere after the check is refused: the connection is made to what was checked', async () => {
  let requests = 0;
  const port = await listen((_, response) => {
    requests += 1;
    response.end();
  });
  let lookups = 0;
  // First an address of the internet, then this machine.
  const resolve = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) => {
    lookups += 1;
    callback(null, [{ address: lookups === 1 ? '8.8.8.8' : '127.0.0.1', family: 4 }]);
  }) as never;
  const rules = { allowHttp: true, allowPrivate: false };
  const lookup = createLookup(rules, resolve);
  await new Promise<void>((done, fail) =>
    lookup('a.example', { all: true }, (error) => (error ? fail(error) : done())),
  );
  const refused = await post(`http://a.example:${port}/`, message, { ...rules, lookup });
  expect(refused).toMatchObject({ status: null, error: expect.stringContaining('private network') });
  expect([requests, lookups]).toEqual([0, 2]);
});

test('what the rules do not allow is not sent', async () => {
  const rules = { allowHttp: false, allowPrivate: false };
  expect(await post('http://a.example/', message, rules)).toMatchObject({
    error: 'The address must begin with https://',
  });
  const refused = await post('https://[::ffff:127.0.0.1]/', message, rules);
  expect(refused).toMatchObject({ status: null, error: expect.stringContaining('private network') });
  expect(await post('https://a.invalid/', message, rules)).toMatchObject({ error: 'The host a.invalid was not found' });
});
