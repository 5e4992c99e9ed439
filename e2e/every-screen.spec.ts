import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { chooseTheme, expectNoOverflow } from './screen.ts';

const SCREENS = {
  anonymous: ['/auth', '/forgot-password', '/reset-password?token=nonsense', '/no/such/page'],
  admin: [
    '/',
    '/today',
    '/trip',
    '/search',
    '/crm',
    '/crm?view=board',
    '/crm?view=table&columns=status,next,tags',
    '/coverage',
    '/reports',
    '/reports/contacts',
    '/users',
    '/import',
    '/import/00000000-0000-4000-8000-000000000000',
    '/import/00000000-0000-4000-8000-000000000000/corrections',
    '/progress',
    '/reminders',
    '/changes',
    '/proposals',
    '/sweeps',
    '/sweeps/00000000-0000-4000-8000-000000000000',
    '/duplicates',
    '/territories',
    '/audit',
    '/objections',
    '/system',
    '/settings',
    '/account',
    '/help/phone',
    '/business/2147483647',
    '/no/such/page',
  ],
};
/** The smallest phone, 1440 px at 200% zoom, a tablet and a desktop. */
const WIDTHS = [320, 720, 1024, 1440];

for (const [role, paths] of Object.entries(SCREENS)) {
  // A test for each: together they would take longer than a test may.
  for (const path of paths) {
    test(`${path} for ${role} passes axe in both themes and fits its window`, async ({
      page,
      accounts,
      expectedErrors,
    }) => {
      // An invalid token, a lead and an import that do not exist are among the screens.
      expectedErrors.push(/status of 40[04]/);
      // The list has leads to show.
      if (path.startsWith('/crm'))
        await assignLeads(accounts, await accounts.create(), { count: 3, location: 'Perth' });
      if (role === 'admin') await accounts.signIn(page, accounts.admin);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expect(page.getByRole('status', { name: /loading/i })).toHaveCount(0);
        await test.step(`at ${width}`, () => expectAccessible(page));
        await expectNoOverflow(page, path);
      }
    });
  }
}

test('the theme follows the system until a user chooses one', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/users');
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(background).not.toBe(dark);
  await chooseTheme(page, accounts.admin.fullName, 'Dark');
  await expect.poll(background).toBe(dark);
  await page.reload();
  await expect.poll(background).toBe(dark);
});

test('with reduced motion, a change of theme starts no transition', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/users');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  let transitions = 0;
  await page.exposeFunction('countTransition', () => {
    transitions += 1;
  });
  await page.evaluate('document.addEventListener("transitionrun", () => countTransition())');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expect.poll(background).not.toBe(light);
  expect(transitions).toBe(0);
});
