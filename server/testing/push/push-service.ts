import { createECDH, type ECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import ece from 'http_ece';
import { importJWK, jwtVerify } from 'jose';
import type { PushSubscriptionBody } from '#contract/push/push.calls.ts';
import { type PushMessage, pushMessage } from '#contract/push/push-message.ts';

interface Device {
  keys: ECDH;
  auth: string;
  shown: PushMessage[];
}

/**
 * A push service with the browsers that use it, on this machine. As theirs do, it refuses what does not say who sends, and what a
 * device cannot read, and forgets a device that has unsubscribed.
 */
export async function startPushService({ now = () => new Date() } = {}) {
  const devices = new Map<string, Device>();
  const service = { status: 201, requests: 0, senders: new Set<string>(), headers: {} as IncomingHttpHeaders };
  let retryAfter = '';
  const server = createServer(async (request, response) => {
    service.requests += 1;
    service.headers = request.headers;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const end = (status: number) =>
      response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end('said so');
    const device = devices.get(request.url ?? '');
    if (!device) return end(410);
    const sender = await readSender(request.headers.authorization, { audience: url(), now: now() });
    if (!sender) return end(403);
    service.senders.add(sender);
    if (service.status !== 201) return end(service.status);
    if (request.headers['content-encoding'] !== 'aes128gcm' || !Number(request.headers.ttl)) return end(400);
    const text = ece.decrypt(Buffer.concat(parts), {
      version: 'aes128gcm',
      privateKey: device.keys,
      authSecret: device.auth,
    });
    device.shown.push(pushMessage.parse(JSON.parse(text.toString())));
    end(201);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** The settings with which the product may send to it. */
    env: { PUSH_SERVICES: '127.0.0.1', WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' },
    service,
    /** What a browser gives to the page that subscribes, and what it has shown. */
    subscribe: (): { subscription: PushSubscriptionBody; shown: PushMessage[] } => {
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys('base64url');
      const auth = randomBytes(16).toString('base64url');
      const path = `/send/${randomBytes(12).toString('base64url')}`;
      const shown: PushMessage[] = [];
      devices.set(path, { keys, auth, shown });
      return { subscription: { endpoint: url() + path, keys: { p256dh, auth } }, shown };
    },
    unsubscribe: ({ endpoint }: PushSubscriptionBody) => devices.delete(new URL(endpoint).pathname),
    /** From now on. */
    answerWith: (status: number, seconds = '') => {
      service.status = status;
      retryAfter = seconds;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The key of who sends, where the header proves it (RFC 8292). */
async function readSender(
  header: string | undefined,
  { audience, now }: { audience: string; now: Date },
): Promise<string | undefined> {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? [];
  if (!token || !key) return undefined;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y } as never, 'ES256');
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      audience,
      requiredClaims: ['sub', 'exp'],
      currentDate: now,
    });
    const hours = ((payload.exp ?? 0) * 1_000 - now.getTime()) / 3_600_000;
    return hours <= 24 && /^(mailto:|https:)/.test(payload.sub ?? '') ? key : undefined;
  } catch {
    return undefined;
  }
}
