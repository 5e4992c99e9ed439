import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** A real mail server on this machine that keeps what it is sent. */
export async function openMailbox() {
  const received: { to: string[]; mail: Email }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const mail = await PostalMime.parse(Buffer.concat(chunks));
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail });
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    /** The newest mail to this address, waited for. */
    async newestFor(address: string): Promise<Email> {
      for (const deadline = Date.now() + 15_000; ; await wait(50)) {
        const newest = received.findLast(({ to }) => to.includes(address));
        if (newest) return newest.mail;
        if (Date.now() > deadline) throw new Error(`no mail for ${address} came within 15 s`);
      }
    },
    countFor: (address: string) => received.filter(({ to }) => to.includes(address)).length,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
