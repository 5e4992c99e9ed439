import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { headerValue, html, type Message, plainText } from './message.ts';

export interface Transport {
  /** Hands the message over; throws when that was not possible. */
  send: (message: Message) => Promise<void>;
  close: () => void;
}

const LIMIT_MS = 10_000;

const envelopeOf = (from: string, message: Message) => ({
  from,
  // As an object, so that the address is one address whatever characters it has.
  to: { name: '', address: headerValue(message.to) },
  subject: headerValue(message.subject),
});

const mailOf = (from: string, message: Message) => ({
  ...envelopeOf(from, message),
  text: plainText(message),
  html: html(message),
});

/** A part as it reads: whoever opens the file finds its links whole. */
const readable = (type: string, text: string) => ({
  raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`,
});

const fileOf = (from: string, message: Message) => ({
  ...envelopeOf(from, message),
  alternatives: [readable('text/plain', plainText(message)), readable('text/html', html(message))],
});

export function smtpTransport(url: string, from: string): Transport {
  const smtp = nodemailer.createTransport(url, {
    connectionTimeout: LIMIT_MS,
    greetingTimeout: LIMIT_MS,
    socketTimeout: LIMIT_MS,
    dnsTimeout: LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
  return {
    send: async (message) => void (await smtp.sendMail(mailOf(from, message))),
    close: () => smtp.close(),
  };
}

/** Without a mail server each message becomes a file that only the owner can read. */
export function folderTransport(folder: string, from: string): Transport {
  const writer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (message) => {
      const { message: bytes } = await writer.sendMail(fileOf(from, message));
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Written beside and renamed, so that whoever watches the folder never reads half a message.
      const unfinished = join(folder, `.${name}`);
      const file = await open(unfinished, 'wx', 0o600);
      try {
        await file.writeFile(bytes as Buffer);
      } finally {
        await file.close();
      }
      await rename(unfinished, join(folder, name));
    },
    close: () => {},
  };
}
