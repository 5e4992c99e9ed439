import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, expect, test } from 'vitest';
import { scratchFolder } from '#server/testing/databases.ts';
import { folderTransport } from './transport.ts';

const folder = scratchFolder('mail');
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a message in the folder is a valid mail, and its link is readable as plain text', async () => {
  const link = `http://leads.example.test/reset-password?token=${'a1-_'.repeat(11)}`;
  const paragraphs = ['Hello Zoë', link, 'x'.repeat(500), 'y'.repeat(500)];
  const transport = folderTransport(folder, 'Café <no-reply@example.test>');
  await transport.send({ to: 'zoe@example.test', subject: 'Zoë resets', paragraphs });

  const [name = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, name));
  expect(/http\S+token=[\w-]+/.exec(bytes.toString('utf8'))?.[0]).toBe(link);
  expect(
    Math.max(
      ...bytes
        .toString('utf8')
        .split('\r\n')
        .map((line) => Buffer.byteLength(line)),
    ),
  ).toBeLessThan(998);
  const mail = await PostalMime.parse(bytes);
  expect(mail).toMatchObject({ subject: 'Zoë resets', from: { name: 'Café', address: 'no-reply@example.test' } });
  expect(mail.text).toContain(paragraphs.join('\n\n'));
  expect(mail.html).toContain(`<a href="${link}">`);
});

test('a mail that can be stopped says where: with one click where the address is https', async () => {
  const transport = folderTransport(folder, 'no-reply@example.test');
  const send = async (stopUrl?: string) => {
    rmSync(folder, { recursive: true, force: true });
    const message = { to: 'zoe@example.test', subject: 'Week', paragraphs: ['Hello'] };
    await transport.send(stopUrl ? { ...message, stopUrl } : message);
    const [name = ''] = readdirSync(folder);
    const { headers } = await PostalMime.parse(readFileSync(join(folder, name)));
    return headers.flatMap(({ key, value }) => (key.startsWith('list-') ? `${key}: ${value}` : []));
  };
  const url = `//crm.example.test/api/weekly-email/stop?token=12.${'a1-_'.repeat(11)}`;
  expect(await send(`https:${url}`)).toEqual([
    `list-unsubscribe: <https:${url}>`,
    'list-unsubscribe-post: List-Unsubscribe=One-Click',
  ]);
  expect(await send(`http:${url}`)).toEqual([`list-unsubscribe: <http:${url}>`]);
  expect(await send()).toEqual([]);
});
