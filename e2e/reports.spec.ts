import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { getActivity } from '#contract/reports/activity.calls.ts';
import { getFunnel } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

/** A manager of the team that `npm run demo` creates. */
const MANAGER = { username: 'marcus', password: 'Highstreet-demo-1' };

const countPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

/** The parts of the report as those of 25 people, whose leads are lost for every reason. */
async function enlargeTeam(page: Page) {
  const toTeam = <T extends { name: string }>(some: T[]) =>
    some.slice(0, 1).flatMap((person) =>
      Array.from({ length: 25 }, (_, nth) => ({
        ...person,
        id: nth + 1,
        name: `Person ${nth + 1} Featherstonehaugh`,
      })),
    );
  const change = (path: string, toJson: (json: unknown) => object) =>
    page.route(new RegExp(path), async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: toJson(await response.json()) });
    });
  await change(getSlipped.path, (json) => toTeam(getSlipped.response.parse(json)));
  await change(getActivity.path, (json) => {
    const { people, ...activity } = getActivity.response.parse(json);
    return { ...activity, people: toTeam(people) };
  });
  await change(getFunnel.path, (json) => {
    const { current, before } = getFunnel.response.parse(json);
    const lostBy = [...STANDARD_OUTCOMES, 'none'].map((outcome) => ({ outcome, leads: 10 }));
    return { current: { ...current, figures: { ...current.figures, lostBy } }, before };
  });
}

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/auth`);
  await page.getByLabel(/username/i).fill(MANAGER.username);
  await page.getByLabel('Password', { exact: true }).fill(MANAGER.password);
  await page.getByRole('button', { name: /sign in|log in/i }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
}

test('a manager reads the report of a year, opens a number, saves a table and prints the page @screen', async ({
  page,
  startOwnProduct,
}) => {
  const { url } = await startOwnProduct('demo');
  await signIn(page, url);
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByLabel('Assigned', { exact: true }).selectOption('This year');
  await page.getByLabel('Source', { exact: true }).selectOption('Search');
  const funnel = page.getByRole('region', { name: 'Funnel' });
  await expect(funnel).toBeVisible();
  await expectAccessible(page);

  // A number opens the list of as many leads.
  const contacted = funnel.getByRole('link', { name: /^[\d,]+, Contacted: show these leads$/ });
  const count = parseInt((await contacted.textContent()) ?? '', 10);
  expect(count).toBeGreaterThan(0);
  await contacted.click();
  await expect(page.getByText(`${count} results found`)).toBeVisible();
  await page.goBack();

  // So does a number of the activity: as many contacts.
  const activity = page.getByRole('region', { name: 'Activity by person and month' });
  await activity.getByRole('button', { name: 'All, by month' }).click();
  // Those of all people in the first month: nobody else is open.
  const calls = activity.getByRole('link', { name: /^[\d,]+, All, .* to .*, Calls: show these contacts$/ }).first();
  const callCount = await calls.textContent();
  await calls.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await expect(page.getByText(`${callCount} contact${callCount === '1' ? '' : 's'}`, { exact: true })).toBeVisible();
  await expect(page.getByText(/^Calls logged .+, Source: Search\.$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Reports', exact: true }).click();
  await expect(page.getByLabel('Source', { exact: true })).toHaveValue('search');

  // The file has what the table has.
  await page.getByLabel('Compare by', { exact: true }).selectOption('Person');
  const people = page.getByRole('region', { name: 'By person', exact: true });
  await expect(people).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV: the table by person' }).click();
  const saved = await saving;
  await expectToast(page, 'Table exported');
  expect(saved.suggestedFilename()).toMatch(/^report-by-person-\d{4}-01-01-to-\d{4}-\d\d-\d\d\.csv$/);
  const [titles, ...lines] = (await readFile(await saved.path(), 'utf8')).split('\r\n');
  expect(lines.pop()).toBe('');
  expect(titles).toMatch(/^\ufeff"From","To","Person","Assigned","Contacted","Contacted \(%\)"/);
  const rows = people.getByRole('rowheader');
  // Of both periods.
  expect(lines).toHaveLength(2 * (await rows.count()));
  await expect(rows.first()).toContainText(lines[0]?.split('"')[5] ?? 'a name');

  // Paper: one page, black on white, with what the filters say.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByText(/^The whole team · Assigned: This year · Source: Search · printed /)).toBeVisible();
  for (const hidden of [
    page.getByRole('navigation', { name: 'Main' }),
    page.getByRole('search', { name: 'Report' }),
    page.getByRole('button', { name: 'Print' }),
    page.getByRole('button', { name: /^CSV/ }).first(),
  ]) {
    await expect(hidden).toBeHidden();
  }
  const colours = await page.evaluate<string[]>(
    '[getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor]',
  );
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  await page.emulateMedia({ media: null, colorScheme: null });
  for (const by of ['Person', 'District', 'Week']) {
    await page.getByLabel('Compare by', { exact: true }).selectOption(by);
    await expect(page.getByRole('region', { name: `By ${by.toLowerCase()}`, exact: true })).toBeVisible();
    await expect(page.getByText('Counting…')).toHaveCount(0);
    expect(countPages(await page.pdf({ preferCSSPageSize: true })), by).toBe(1);
  }

  // One page for a large team, too, whose leads are lost for every reason.
  await enlargeTeam(page);
  await page.reload();
  await expect(page.getByRole('row', { name: /^Person 25/ })).toHaveCount(2);
  await expect(page.getByText('Counting…')).toHaveCount(0);
  expect(countPages(await page.pdf({ preferCSSPageSize: true })), 'a large team').toBe(1);
  await page.unrouteAll();

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await expectNoOverflow(page);
});
