import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { buildPath } from '#contract/call.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

interface Received {
  headers: Record<string, string>;
  body: string;
  type: string;
}

/** A program that is told what happens, and answers with this status. */
async function startProgram() {
  const received: Received[] = [];
  const program = { status: 200 };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    received.push({ headers: request.headers as Record<string, string>, body, type: JSON.parse(body).type });
    response.writeHead(program.status).end(program.status === 200 ? 'Thank you' : 'Not now');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    program,
    received,
    url: `http://127.0.0.1:${port}/told`,
    host: `127.0.0.1:${port}`,
    close: () => server.close(),
  };
}

test('an administrator makes a webhook, and a program is told of a won lead, with a signature', async ({
  page,
  accounts,
}) => {
  const { program, received, url, host, close } = await startProgram();
  const priya = await accounts.create('user', 'Priya Shah');
  const [lead] = await assignLeads(accounts, priya);
  await accounts.signIn(page, accounts.admin);
  await page.goto('/settings#webhooks');
  // By keys alone.
  await page.getByRole('button', { name: 'Make a webhook' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Make a webhook' });
  await form.getByLabel('Address').fill(url);
  await form.getByLabel('Lead closed').focus();
  await page.keyboard.press('Space');
  await expectAccessible(page);
  await form.getByLabel('Address').press('Enter');
  const made = page.getByRole('dialog', { name: `The key of the webhook to ${host}` });
  const secret = await made.getByLabel('Secret').inputValue();
  await expectAccessible(page);
  await made.getByRole('button', { name: 'I have stored it' }).click();
  const webhook = page.getByRole('listitem', { name: host });
  await expect(webhook).toContainText('Nothing sent yet');

  program.status = 503;
  const change = buildPath(changeLeadStatus.byId, { params: { id: lead.id } });
  await page.request.patch(change, { data: { status: 'closed_won' } });
  await expect.poll(() => received.map(({ type }) => type)).toContain('lead.closed');
  await webhook.getByRole('button', { name: /^Deliveries/ }).click();
  const dialog = page.getByRole('dialog', { name: `Deliveries to ${host}` });
  await dialog.getByRole('button', { name: /^Details.*Lead closed/ }).click();
  await expect(dialog.getByText('Not now').first()).toBeVisible();
  program.status = 200;
  // After five seconds it is sent once more.
  await expect(dialog.getByRole('listitem').first()).toContainText('Delivered', { timeout: 20_000 });
  for (const { body, headers } of received) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      data: { lead: { id: lead.id }, status: 'closed_won' },
    });
  }
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await expectAccessible(page);
  const before = received.length;
  await dialog.getByRole('button', { name: /^Send again.*Lead closed/ }).click();
  await expect.poll(() => received.length).toBe(before + 1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await webhook.getByRole('button', { name: `More for ${host}` }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  await expectToast(page, 'Test sent');
  await expect.poll(() => received.at(-1)?.type).toBe('webhook.test');
  await expect(webhook).toContainText(/Last request.*: delivered/);
  await expectNoOverflow(page);
  await webhook.getByRole('button', { name: `More for ${host}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expectToast(page, 'Webhook deleted');
  await expect(webhook).toHaveCount(0);
  close();
});
