import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { createToken } from '#contract/tokens/tokens.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('an assistant proposes; its user accepts some by keys, takes that back, and nothing else changes', {
  tag: '@screen',
}, async ({ page, accounts, baseURL }) => {
  const priya = await accounts.create('user', 'Priya Shah');
  const [one, two] = await assignLeads(accounts, priya, { count: 2 });
  if (!two) throw new Error('there are two leads');
  await accounts.signIn(page, priya);
  await page.goto('/proposals');
  await expect(page.getByText('Nothing to decide')).toBeVisible();
  const made = await page.request.post(createToken.path, {
    headers: { origin: baseURL ?? '' },
    data: { name: 'Claude', rights: 'write' },
  });
  const { secret } = createToken.response.parse(await made.json());

  // The official client, as an assistant uses it.
  const client = new Client({ name: 'story', version: '1' });
  const headers = { authorization: `Bearer ${secret}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseURL), { requestInit: { headers } }));
  const changes = [
    { kind: 'status', lead: one.uuid, status: 'in_progress' },
    { kind: 'activity', lead: one.uuid, type: 'note', text: 'Opens at nine' },
    { kind: 'add_tag', lead: two.uuid, tag: 'hot' },
  ];
  const proposed = await client.callTool({
    name: 'propose_changes',
    arguments: { reason: 'They answered your e-mail.', changes },
  });
  expect(JSON.stringify(proposed.content)).toContain('Nothing is changed yet');
  await client.close();

  // It comes without a reload, and the bell leads to it.
  await expect(page.getByRole('listitem', { name: 'Claude proposes 3 changes' })).toBeVisible();
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/ })
    .click();
  await page.getByRole('link', { name: /Proposal from Claude/ }).click();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page, '/proposals');
  await page.setViewportSize({ width: 1440, height: 900 });

  // Somebody changes one of the leads meanwhile.
  await accounts.sendAsAdmin(changeLeadStatus.byUuid, { params: { uuid: two.uuid }, body: { status: 'recontact' } });
  await expect(page.getByText(/^Changed since it was proposed: status/)).toBeVisible();
  await expectAccessible(page);

  // By keys alone.
  await page.getByRole('checkbox', { name: `${one.business.name}: Status, In Progress` }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Accept 1 of 2' }).focus();
  await page.keyboard.press('Enter');
  await expectToast(page, '1 change made');
  await expect(page.getByText('0 proposals to decide')).toBeFocused();

  await page.goto(one.path);
  await expect(page.getByText('Opens at nine').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByText(/by Priya Shah, through Claude/).first()).toBeVisible();
  await page.goto('/changes');
  const row = page.getByRole('row', { name: /through Claude/ });
  await row.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, '1 taken back');
  await page.goto(one.path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Timeline' })).toBeVisible();
  await expect(page.getByText('Opens at nine')).toHaveCount(0);

  // Also from the palette.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('proposals');
  await page.getByRole('option', { name: 'Proposals' }).click();
  await page.getByText('Claude: 3 changes').click();
  await expect(page.getByText('1 accepted')).toBeVisible();
  await expectAccessible(page);
});
