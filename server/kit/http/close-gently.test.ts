import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { closeGently } from './close-gently.ts';

test('closing waits for the request under way, and for no idle or unused connection', async () => {
  const app = Fastify({ keepAliveTimeout: 60_000 });
  const close = closeGently(app);
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
  const opened = () =>
    new Promise<ReturnType<typeof connect>>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket));
    });
  const [unused, idle] = [await opened(), await opened()];
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
