import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** Starts a real mail server on this machine that keeps every message it receives. */
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
    /** Waits for the newest message to this recipient. */
    async newestFor(email: string): Promise<Email> {
      for (const deadline = Date.now() + 15_000; ; await wait(50)) {
        const newest = received.findLast(({ to }) => to.includes(email));
        if (newest) return newest.mail;
        if (Date.now() > deadline) throw new Error(`no mail for ${email} arrived within 15 s`);
      }
    },
    findFor: (email: string, subject: string): Email | undefined =>
      received.find(({ to, mail }) => to.includes(email) && mail.subject === subject)?.mail,
    countFor: (email: string) => received.filter(({ to }) => to.includes(email)).length,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
