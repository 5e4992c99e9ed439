import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { wakeOwnJob } from '#server/jobs/jobs.sql.ts';
import type { TestApp } from '#server/testing/test-app.ts';

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; timestamp: string; data: Record<string, unknown> & { lead?: { id: number } } };
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Before the answer. */
  wait?: Promise<unknown>;
}

/** A program that is told of events, on this machine. */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = { reply: (_: Received): Reply => ({ status: 204 }) };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const message = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
      json: JSON.parse(body),
    };
    received.push(message);
    const { status, headers, body: answer, wait } = receiver.reply(message);
    await wait;
    response.writeHead(status, headers).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    replyWith: (reply: Reply | ((message: Received) => Reply)) => {
      receiver.reply = typeof reply === 'function' ? reply : () => reply;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Lets the product's job do what is due, without waiting for its time. */
export async function runWebhooks({ db, app }: TestApp) {
  await wakeOwnJob(db, 'webhooks');
  await app.jobs.run('webhooks');
}

/** Runs the job until this is so. */
export const untilSent = (t: TestApp, read: () => unknown): ReturnType<typeof expect.poll> =>
  expect.poll(
    async () => {
      await runWebhooks(t);
      return read();
    },
    { timeout: 20_000 },
  );
