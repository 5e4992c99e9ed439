import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { closeGracefully } from './close-gracefully.ts';

test('closing waits for the request in progress, and for no idle or unused connection', async () => {
  const app = Fastify({ keepAliveTimeout: 60_000 });
  const close = closeGracefully(app);
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let began = () => {};
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  app.get('/quick', async () => 'quick');
  app.get('/slow', async () => {
    began();
    await finished;
    return 'slow';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const openSocket = () =>
    new Promise<ReturnType<typeof connect>>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
    });
  const [unused, idle] = [await openSocket(), await openSocket()];
  idle.write('GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => idle.once('data', resolve));
  const slow = fetch(`http://127.0.0.1:${port}/slow`).then((response) => response.text());
  await begun;

  let closed = false;
  const closing = close().then(() => {
    closed = true;
  });
  await Promise.all([unused, idle].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  expect(closed).toBe(false);
  finish();
  expect(await slow).toBe('slow');
  await closing;
  expect(closed).toBe(true);
});

test('behind a proxy it cuts off safe requests and serves all others for a second before it closes', async () => {
  const app = Fastify();
  const close = closeGracefully(app, true);
  app.get('/healthz', async () => 'alive');
  app.get('/list', async () => 'list');
  app.post('/change', async () => 'changed');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`;
  expect(await (await fetch(`${url}/list`)).text()).toBe('list');

  const closed = close();
  await expect(fetch(`${url}/list`)).rejects.toThrow('fetch failed');
  const changed = await fetch(`${url}/change`, { method: 'POST' });
  expect(await changed.text()).toBe('changed');
  expect(changed.headers.get('connection')).toBe('close');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await closed;
  await expect(fetch(`${url}/change`, { method: 'POST' })).rejects.toThrow('fetch failed');
});
