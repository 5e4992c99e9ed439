import { buildPath } from '#contract/call.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { createToken, listTokens } from '#contract/tokens/tokens.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('a program works with a token, under its name, until the token is ended', { tag: '@screen' }, async ({
  page,
  accounts,
  baseURL,
}) => {
  const priya = await accounts.create('user', 'Priya Shah');
  const [lead] = await assignLeads(accounts, priya);
  await accounts.signIn(page, priya);
  await page.goto('/account');
  // By keys alone.
  await page.getByRole('button', { name: 'Make a token' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Make a token' });
  await expectAccessible(page);
  await form.getByLabel('Name of the program').fill('n8n');
  await form.getByLabel('It may').selectOption('Read and change');
  await form.getByLabel('Name of the program').press('Enter');
  const made = page.getByRole('dialog', { name: 'The token of “n8n”' });
  const secret = await made.getByLabel('Token').inputValue();
  await expectAccessible(page);
  await made.getByRole('button', { name: 'I have stored it' }).click();
  const token = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
  await expect(token).toContainText('n8n');
  await expect(page.getByText(secret)).toHaveCount(0);

  // Not of the browser: it would add its cookie.
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const send = (path: string, init: RequestInit = {}) => fetch(new URL(path, baseURL), { ...init, headers });
  const listed = listLeads.response.parse(await (await send(listLeads.path)).json());
  expect(listed.items.map(({ business }) => business.name)).toEqual([lead.business.name]);
  const { method } = changeLeadStatus.byId;
  const body = JSON.stringify({ status: 'recontact' });
  const changed = await send(buildPath(changeLeadStatus.byId, { params: { id: lead.id } }), { method, body });
  expect(changed.status).toBe(200);
  const more = await send(createToken.path, { method: createToken.method, body: JSON.stringify({ name: 'more' }) });
  expect(more.status).toBe(403);

  await page.goto(lead.path);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByText(/by Priya Shah, through n8n/).first()).toBeVisible();

  await page.goto('/account#programs');
  await expect(token).toContainText('last used');
  await page.getByRole('button', { name: /^End.*n8n/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End token' }).click();
  await expectToast(page, 'Token ended');
  await expect(token).toHaveCount(0);
  expect((await send(listTokens.path)).status).toBe(401);
  expect((await send(listLeads.path)).status).toBe(401);
});

test('an administrator ends the token of another user', async ({ page, accounts, baseURL }) => {
  const tom = await accounts.create('user', 'Tom Ellery');
  await accounts.signIn(page, tom);
  const response = await page.request.post(createToken.path, { data: { name: `Script of ${tom.username}` } });
  const { secret } = createToken.response.parse(await response.json());
  await accounts.signIn(page, accounts.admin);
  await page.goto('/settings#programs');
  const item = page.getByRole('listitem').filter({ hasText: `Script of ${tom.username}` });
  await expect(item).toContainText('Of Tom Ellery');
  await item.getByRole('button', { name: /^End/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End token' }).click();
  await expectToast(page, 'Token ended');
  await expect(item).toHaveCount(0);
  const headers = { authorization: `Bearer ${secret}` };
  expect((await fetch(new URL(listLeads.path, baseURL), { headers })).status).toBe(401);
});

test('the page about the API is read by keys, on a small screen, and passes axe', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/api/docs');
    await expectNoOverflow(page, `the page about the API at ${width}`);
  }
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the text' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const call = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'POST /api/leads/upsert' }) });
  await call.getByText('Input and response').press('Enter');
  await expect(call.getByRole('heading', { name: 'Response 200' })).toBeVisible();
  await expectAccessible(page);
});
