import type { Page } from '@playwright/test';
import { addActivity, addTag, archiveLead, changeCustomFields, changeLeadNotes } from '#contract/leads/leads.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find anything' });

async function find(page: Page, text: string) {
  const field = palette(page).getByRole('combobox', { name: 'Find anything' });
  if (!(await field.isVisible())) await page.keyboard.press('Control+k');
  await field.fill(text);
}

test('a lead is found by everything known about it', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Grace Okafor');
  const other = await accounts.create('user', 'Oscar Other');
  const [lead] = await assignLeads(accounts, holder);
  const { id, business } = lead;
  const params = { id };
  const customFields = { email: 'zelda@finding.example', contactPerson: 'Zelda Quimby' };
  await accounts.sendAsAdmin(changeCustomFields.byId, { params, body: { customFields } });
  await accounts.sendAsAdmin(changeLeadNotes.byId, { params, body: { notes: 'Wants a xylophone for the terrace' } });
  await accounts.sendAsAdmin(addTag.byId, { params, body: { tag: 'Quokka fair' } });
  await accounts.sendAsAdmin(addActivity.byId, { params, body: { type: 'call', notes: 'Spoke about kumquats' } });
  await accounts.sendAsAdmin(archiveLead.byId, { params });

  const postcode = /[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}/.exec(business.formattedAddress ?? '')?.[0] ?? '';
  const digits = (business.phone ?? '').replace(/\D/g, '');
  const reasons: [text: string, reason: string][] = [
    [business.name, 'Archived'],
    [`+44 ${digits.slice(1)}`, `Phone: ${business.phone}`],
    [postcode.toLowerCase().replace(' ', ''), `Postcode: ${postcode}`],
    ['Leeds', 'Town: Leeds'],
    ['quimby', 'Contact person: Zelda Quimby'],
    ['zelda@', 'E-mail: zelda@finding.example'],
    ['quokka', 'Tag: Quokka fair'],
    ['xylo', 'Notes: Wants a xylophone for the terrace'],
    ['kumquats', 'Activity: Spoke about kumquats'],
  ];
  await accounts.signIn(page, holder);
  await page.goto('/search');
  await expect(page.getByRole('button', { name: 'Find anything' })).toBeVisible();
  for (const [text, reason] of reasons) {
    await find(page, text);
    const result = palette(page).getByRole('option').filter({ hasText: business.name });
    await expect(result, text).toContainText(reason);
    await expect(result.locator('mark').first(), text).toBeVisible();
  }
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(lead.path);

  await accounts.signIn(page, other);
  await page.goto('/search');
  await expect(page.getByRole('button', { name: 'Find anything' })).toBeVisible();
  for (const [text] of reasons) {
    await find(page, text);
    await expect(palette(page).getByRole('status'), text).toHaveText(`Nothing found for “${text}”`);
  }
  await expectAccessible(page);
});

test('the palette works by keyboard alone and gives the focus back', { tag: '@screen' }, async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Grace Okafor');
  const [first, second] = await assignLeads(accounts, holder, { count: 2 });
  await accounts.signIn(page, holder);
  for (const lead of [first, second]) {
    await page.goto(lead?.path ?? '');
    await expect(page.getByRole('heading', { level: 1, name: lead?.business.name ?? '' })).toBeVisible();
  }

  await page.getByRole('tab', { name: /Activities/ }).focus();
  await page.keyboard.press('/');
  await expect(palette(page)).toBeVisible();
  await expect(palette(page).getByRole('option').first()).toContainText(first.business.name);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole('tab', { name: /Activities/ })).toBeFocused();

  // An action on the open lead, and then the other lead.
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('status recon');
  await expect(palette(page).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Recontact' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('tab', { name: /Activities/ })).toBeFocused();
  // The button shows the status before it is saved.
  await expect(page.getByText('Status updated', { exact: true })).toBeVisible();
  // At once, without waiting for the palette or its options: a lead is opened, and none is changed.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Recontact' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(first.path);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Recontact' })).toHaveAttribute('aria-pressed', 'true');
});

test('an empty list leads on to a search of everything', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, holder, { fields: { status: 'closed_lost' } });
  await accounts.signIn(page, holder);
  await page.goto(`/crm?q=${encodeURIComponent(lead.business.name)}`);
  await page.getByRole('button', { name: 'Search everything' }).click();
  await expect(palette(page).getByRole('option').filter({ hasText: lead.business.name })).toContainText('Closed');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Search archived and closed too' }).click();
  await expect(page.getByRole('article', { name: lead.business.name })).toBeVisible();
});
