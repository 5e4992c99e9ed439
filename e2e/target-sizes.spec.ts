import { createImportOf } from './imports.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles, expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectLargeTargets } from './target-sizes.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

for (const size of SIZES) {
  test(`every target is large enough at ${size.width} px`, async ({ page, accounts, expectedErrors }) => {
    expectedErrors.push(/status of 40[04]/);
    await blockMapTiles(page, expectedErrors);
    await page.setViewportSize(size);
    const measure = (screen: string, within?: string) =>
      test.step(screen, () => expectLargeTargets(page, screen, within));
    const open = async (path: string) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('status', { name: /loading/i })).toHaveCount(0);
      await measure(path);
    };
    for (const path of ['/auth', '/forgot-password', '/reset-password?token=nonsense', '/no/such/page'])
      await open(path);

    const holder = await accounts.create('user', 'Grace Okafor');
    const [lead] = await assignLeads(accounts, holder, { count: 12, fields: { tags: ['Regulars'] } });
    await accounts.signIn(page, accounts.admin);
    const paths = [
      '/',
      '/coverage',
      '/reports',
      '/reports/contacts',
      '/sweeps',
      '/users',
      '/import',
      '/progress',
      '/changes',
      '/proposals',
      '/duplicates',
      '/territories',
      '/audit',
      '/objections',
      '/system',
      '/settings',
      '/help/phone',
    ];
    for (const path of paths) await open(path);
    await open(`/import/${await createImportOf(page, 'Company,Tel\nBlue Door Bakery,01632 960123')}`);

    await open(`/crm?user=${holder.id}&archived=true`);
    await expectResultCount(page, 12);
    const filters = page.getByRole('button', { name: /^(Show|Hide) Filters/ });
    if (await page.getByRole('button', { name: /^Show Filters/ }).isVisible()) await filters.click();
    await measure('the list with filters');
    await filters.click();
    await measure('the list with chips');
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .first()
      .check();
    await measure('the list with a selection');
    await page.getByRole('tab', { name: 'Table' }).click();
    await measure('the table');
    await page.getByRole('tab', { name: 'Map' }).click();
    await measure('the map');

    await open(lead.path);
    for (const tab of [/^Notes/, /Assignment History/, /Timeline/]) {
      await page.getByRole('tab', { name: tab }).click();
      await measure(`the tab ${tab}`);
    }
    const measureDialog = async (name: string, open: () => Promise<void>) => {
      await open();
      await expect(page.getByRole('dialog').last()).toBeVisible();
      await measure(name, '[role="dialog"]');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    await measureDialog('a dialog', () => page.getByRole('button', { name: 'Reassign' }).first().click());
    await measureDialog('the log', () => page.keyboard.press('l'));
    await measureDialog('the palette', () => page.keyboard.press('Control+k'));

    await open('/search');
    await page.getByLabel('Business Type').fill('Restaurant');
    await page.getByLabel('Location').fill('Leeds');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page.getByRole('heading', { level: 2, name: /^Results/ })).toBeVisible();
    await measure('the search results');

    await accounts.signIn(page, holder);
    await open('/today');
    await page.getByRole('button', { name: 'Plan follow-up' }).first().click();
    await measure('the times of a follow-up');
    await page.goto('/crm');
    await measureDialog('a follow-up of many', async () => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check();
      await page.getByRole('button', { name: 'Bulk Actions' }).click();
      await page.getByRole('menuitem', { name: 'Plan follow-up' }).click();
    });
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect(page.getByRole('list', { name: 'Notifications' })).toBeVisible();
    await measure('the bell', '[role="dialog"]');
  });
}
