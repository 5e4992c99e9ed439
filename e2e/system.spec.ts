import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('an administrator makes a backup, sees its proof, and downloads it with the password', async ({
  page,
  accounts,
  expectedErrors,
}) => {
  // A backup and its proof take half of a core, which other stories use as well.
  test.setTimeout(240_000);
  expectedErrors.push(/status of 401/);
  const admin = await accounts.create('admin', 'Grace Okafor');
  await accounts.signIn(page, admin);
  await page.goto('/crm');
  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('link', { name: 'System' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'System' })).toBeVisible();
  await expect(page.getByText(/, built in$/)).toBeVisible();

  await page.getByRole('button', { name: 'Back up now' }).click();
  await expectToast(page, 'Backup started');
  const row = page.getByRole('table', { name: 'Backups' }).getByRole('row', { name: /By hand.*Done.*Passed/ });
  await expect(row).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('button', { name: 'Back up now' })).toBeVisible();
  await expectAccessible(page);

  await row.getByRole('button', { name: /^Download/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Download backup' });
  await dialog.getByLabel('Your password').fill('not my password');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(dialog.getByText('The password is not correct')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Your password').fill(admin.password);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  const saved = await saving;
  await expectToast(page, `The file is called ${saved.suggestedFilename()}.`);
  // The first two bytes of every gzip file.
  expect((await readFile(await saved.path())).subarray(0, 2).toString('hex')).toBe('1f8b');

  await page.goto('/audit');
  await expect(page.getByRole('row', { name: /Backup downloaded.*Grace Okafor/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Sign-in failed.*Grace Okafor/ })).toBeVisible();

  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/system');
  await expect(page.getByRole('table', { name: 'Backups' })).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
});
