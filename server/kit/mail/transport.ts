import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { headerValue, type Message, toHtml, toPlainText } from './message.ts';

export interface Transport {
  /** Throws when the message could not be delivered to the transport. */
  send: (message: Message) => Promise<void>;
  close: () => void;
}

const TIMEOUT_MS = 10_000;

const buildEnvelope = (from: string, message: Message) => ({
  from,
  // As an object, so that a comma does not make it a list.
  to: { name: '', address: headerValue(message.to) },
  subject: headerValue(message.subject),
  ...(message.stopUrl && { headers: buildStopHeaders(message.stopUrl) }),
});

/** RFC 8058: with one click, for which it requires https. Without, mail programs open the page. */
const buildStopHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

const buildMail = (from: string, message: Message) => ({
  ...buildEnvelope(from, message),
  text: toPlainText(message),
  html: toHtml(message),
});

/** An unencoded part, so that its links are readable in the file. */
const rawPart = (type: string, text: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`,
});

const buildFile = (from: string, message: Message) => ({
  ...buildEnvelope(from, message),
  alternatives: [rawPart('text/plain', toPlainText(message)), rawPart('text/html', toHtml(message))],
});

export function smtpTransport(url: string, from: string): Transport {
  const smtp = nodemailer.createTransport(url, {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  return {
    send: async (message) => void (await smtp.sendMail(buildMail(from, message))),
    close: () => smtp.close(),
  };
}

/** Without a mail server each message becomes a file that only its owner can read. */
export function folderTransport(folder: string, from: string): Transport {
  const writer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (message) => {
      const { message: bytes } = await writer.sendMail(buildFile(from, message));
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Written under another name and renamed, so that a program that watches the folder never reads half a message.
      const temporary = join(folder, `.${name}`);
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(bytes as Buffer);
      } finally {
        await file.close();
      }
      await rename(temporary, join(folder, name));
    },
    close: () => {},
  };
}
