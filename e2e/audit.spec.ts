import { readFile } from 'node:fs/promises';
import { login } from '#contract/auth/auth.calls.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('an administrator finds out who tried to sign in as a person', { tag: '@screen' }, async ({
  page,
  accounts,
  product,
}) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const attempt = (password: string) =>
    fetch(product.url + login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: grace.email, password }),
    });
  for (const password of ['first wrong one', 'second wrong one']) expect((await attempt(password)).status).toBe(401);
  expect((await attempt(grace.password)).status).toBe(200);

  await accounts.signIn(page, accounts.admin);
  await page.goto('/crm');
  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await page.getByLabel('Person').selectOption({ label: `Grace Okafor (${grace.username})` });
  await expect(page.getByText('Showing all 4 events')).toBeVisible();
  await page.getByLabel('Event').selectOption('Sign-in failed');
  await expect(page.getByText('Showing all 2 events')).toBeVisible();
  await expect(page.getByRole('row', { name: /Sign-in failed.*Not signed in.*Grace Okafor/ })).toHaveCount(2);
  await expect(page).toHaveURL(`/audit?event=sign_in_failed&person=${grace.id}`);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('audit.csv');
  await expectToast(page, '2 events exported');
  const file = await readFile(await saved.path(), 'utf8');
  expect(file.split('\r\n')).toHaveLength(4);
  expect(file).toContain(`"Sign-in failed","Refused","","","User","${grace.id}","Grace Okafor"`);
  for (const secret of [grace.email, 'wrong one', grace.password]) expect(file).not.toContain(secret);

  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('link', { name: 'Grace Okafor' }).first().click();
  await page.getByLabel('Event').selectOption('All events');
  await expect(page.getByText('Showing all 4 events')).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.goBack();
  await expect(page.getByText('Showing all 2 events')).toBeVisible();
});
