import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectToast } from './screen.ts';

test('by keyboard alone, five overdue leads are worked with at most 60 keystrokes and five changes of screen', async ({
  page,
  accounts,
}) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 5 });
  for (const [nth, { id }] of leads.entries()) {
    const at = new Date(Date.now() - (20 - nth) * 3_600_000).toISOString();
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id }, body: { at } });
  }
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await expect(page.getByRole('article')).toHaveCount(5);
  let keystrokes = 0;
  const press = async (key: string) => {
    keystrokes += 1;
    await page.keyboard.press(key);
  };
  await press('g');
  await press('t');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeFocused();
  const screens = ['/today'];
  page.on('framenavigated', (frame) => {
    const { pathname } = new URL(frame.url());
    if (pathname !== screens.at(-1)) screens.push(pathname);
  });
  await expect(page.getByRole('button', { name: 'Work through 5' })).toBeVisible();
  await press('Tab');
  await expect(page.getByRole('button', { name: 'Work through 5' })).toBeFocused();
  await press('Enter');

  const outcomes = [
    ['1', 'No answer'],
    ['2', 'Left message'],
    ['3', 'Spoke'],
    ['5', 'Not interested'],
    ['3', 'Spoke'],
  ] as const;
  for (const [nth, [key, outcome]] of outcomes.entries()) {
    if (nth > 0) await press('j');
    await expect(page.getByRole('heading', { level: 1, name: leads[nth]?.business.name })).toBeVisible();
    await press('l');
    await expect(page.getByRole('dialog', { name: 'Log contact' })).toBeVisible();
    await press(key);
    await expectToast(page, `Logged: ${outcome}`);
    await expect(page.getByText('Nothing is planned.')).toBeVisible();
  }
  expect(keystrokes).toBeLessThanOrEqual(60);
  expect(screens.slice(1)).toEqual(leads.map(({ path }) => path));

  for (const [nth, { id }] of leads.entries()) {
    const { userBusiness } = await accounts.sendAsAdmin(getLead.byId, { params: { id } });
    expect(userBusiness.nextStepAt).toBeNull();
    expect(userBusiness.contactActivities).toMatchObject([
      { outcome: outcomes[nth]?.[1].toLowerCase().replace(' ', '_') },
    ]);
  }
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('region', { name: /^Overdue/ })).toBeHidden();
});
