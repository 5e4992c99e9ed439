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
