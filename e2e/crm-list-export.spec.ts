import { readFile } from 'node:fs/promises';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { expectAccessible } from './axe.ts';
import { startBreakingProxy } from './breaking-proxy.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const COUNT = 12;

test('a filtered list is exported completely or not at all', async ({ page, accounts, product, expectedErrors }) => {
  const holder = await accounts.create('user', 'Ed Export');
  const leads = await assignLeads(accounts, holder, { count: COUNT });
  await accounts.signIn(page, holder);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/crm?sort=oldest');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export Leads' });
  await expect(dialog.getByText(`${COUNT} leads`)).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('leads.csv');
  await expectToast(page, `${COUNT} leads exported`);
  const [titles, ...rows] = (await readFile(await saved.path(), 'utf8')).split('\r\n');
  expect(titles).toMatch(/^\ufeff"Business Name","Address","Town"/);
  // All of them in the order of the list, not only the first page, and nothing after the last line.
  const firstField = (row: string) => row.slice(1, row.indexOf('","')).replaceAll('""', '"');
  expect(rows.pop()).toBe('');
  expect(rows.map(firstField)).toEqual(leads.map(({ business }) => business.name));

  // An administrator exports what the list is filtered by.
  await accounts.signIn(page, accounts.admin);
  await page.goto(`/crm?user=${holder.id}&q=${encodeURIComponent(leads[0].business.name)}`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByText('1 lead', { exact: true })).toBeVisible();

  expectedErrors.push(/ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const proxy = await startBreakingProxy(product.url, exportLeads.path);
  await page.goto(`${proxy.url}/crm?user=${holder.id}`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await dialog.getByRole('button', { name: 'Export CSV' }).click();
  await expectToast(page, 'Export failed');
  await expect(page.getByText(/^The connection was lost after .*Nothing was saved; please try again\.$/)).toBeVisible();
  await expect(dialog).toBeVisible();
  expect(downloads).toBe(0);
  await page.goto('about:blank');
  await proxy.stop();
});
