import type { Page } from '@playwright/test';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { addActivity, changeLeadNotes, reassignLead } from '#contract/leads/leads.calls.ts';
import { startTrip } from '#contract/leads/trip/trip.calls.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import type { Account, Accounts } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles } from './list-screen.ts';
import { startReleases } from './next-release.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';

test.use({ serviceWorkers: 'allow' });

const NO_SERVER = /net::ERR_|Failed to fetch|error occurred in|status of 50\d/;
const DAY_MS = 24 * 3_600_000;
const LEEDS = { latitude: 53.7997, longitude: -1.5492, name: 'Leeds' };

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const asOf = (page: Page) => page.getByText(/^As of \d\d:\d\d$/);
const notHere = (page: Page) => page.getByText('Not on this device. Needs a connection.');

/** What the device keeps: the users whose entries can be read, and the names of all entries. */
const readDevice = (page: Page) =>
  page.evaluate(async () => {
    const get = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const { length } = (await indexedDB.databases()).filter(({ name }) => name === 'highstreet');
    if (length === 0) return { unlocked: [], names: [] };
    const database = await get(indexedDB.open('highstreet'));
    const tx = database.transaction(['users', 'entries']);
    const [users, keys] = [tx.objectStore('users').getAll(), tx.objectStore('entries').getAllKeys()];
    const [rows, names] = [await get(users), (await get(keys)) as [number, string, string | number][]];
    database.close();
    const unlocked = rows.filter(({ key }) => key !== null).map(({ userId }) => userId as number);
    return { unlocked, names };
  });

/** Until the app and the user's leads are on the device. */
async function untilKept(page: Page, { id }: Account) {
  await expect
    .poll(async () => {
      const { unlocked, names } = await readDevice(page);
      return (
        unlocked.includes(id) &&
        ['leads', '/api/today', '/api/trip', '/api/user'].every((name) =>
          names.some(([user, , key]) => user === id && key === name),
        )
      );
    })
    .toBe(true);
  await expect
    .poll(() =>
      page.evaluate(
        async () =>
          (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated' &&
          navigator.serviceWorker.controller !== null,
      ),
    )
    .toBe(true);
}

async function createSeller(accounts: Accounts, skip: number) {
  const seller = await accounts.create();
  const leads = await assignLeads(accounts, seller, { count: 4, skip });
  const params = { id: leads[0].id };
  await accounts.sendAsAdmin(changeLeadNotes.byId, { params, body: { notes: 'Ask for Zoë' } });
  await accounts.sendAsAdmin(addActivity.byId, { params, body: { type: 'call', notes: 'Rang before lunch' } });
  // A contact completes what is planned.
  const at = new Date(Date.now() - 3_600_000).toISOString();
  await accounts.sendAsAdmin(planFollowUp.byId, { params, body: { at, note: 'Bring samples' } });
  return { seller, leads };
}

test('Today, a lead and the trip open in a dead spot, and say how old they are', async ({
  page,
  product,
  accounts,
  expectedErrors,
}) => {
  expectedErrors.push(NO_SERVER);
  await page.setViewportSize({ width: 390, height: 844 });
  await blockMapTiles(page, expectedErrors);
  const server = await startReleases(product.url);
  const { seller, leads } = await createSeller(accounts, 0);
  const [due, second, third] = leads as [(typeof leads)[0], ...(typeof leads)[0][]];
  await accounts.signIn(page, seller);
  const stops = leads.slice(0, 3).map(({ id }) => id);
  await page.request.put(`${server.url}${startTrip.path}`, { data: { start: LEEDS, stops } });
  await page.goto(`${server.url}/today`);
  await expect(page.getByRole('link', { name: due.business.name })).toBeVisible();
  await untilKept(page, seller);
  await expect(asOf(page)).toBeHidden();

  server.cut();
  await test.step('the app starts without the server', async () => {
    await page.reload();
    await expect(heading(page, 'Today')).toBeVisible();
    await expect(page.getByRole('link', { name: due.business.name })).toBeVisible();
    await expect(asOf(page)).toBeVisible();
    await expectNoOverflow(page);
    await expectAccessible(page);
  });

  await test.step('a lead that was never opened has its details, activities, notes and next step', async () => {
    await page.getByRole('link', { name: due.business.name }).click();
    await expect(heading(page, due.business.name)).toBeVisible();
    await expect(asOf(page)).toBeVisible();
    await expect(page.getByText('Rang before lunch')).toBeVisible();
    await expect(page.getByText('Bring samples')).toBeVisible();
    await page.getByRole('tab', { name: /Notes/ }).click();
    await expect(page.getByRole('textbox', { name: 'Notes', exact: true })).toHaveValue('Ask for Zoë');
    await expectNoOverflow(page);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await expect(notHere(page).and(page.locator('[role="tabpanel"][data-state="active"] *'))).toBeVisible();
  });

  await test.step('the trip', async () => {
    await page.goto(`${server.url}/trip`);
    await expect(page.getByText('0 of 3 stops done')).toBeVisible();
    await expect(asOf(page)).toBeVisible();
    await expect(page.getByRole('link', { name: second?.business.name ?? '' }).first()).toBeVisible();
  });

  await test.step('what is not there says so', async () => {
    await page.goto(`${server.url}/crm`);
    await expect(notHere(page).first()).toBeVisible();
  });

  await test.step('with a connection everything is as it was, and a lead that is another user’s by now goes', async () => {
    const body = { newUserId: accounts.admin.id };
    await accounts.sendAsAdmin(reassignLead.byId, { params: { id: third?.id ?? 0 }, body });
    server.restore();
    await page.goto(`${server.url}/today`);
    await expect(page.getByRole('link', { name: due.business.name })).toBeVisible();
    await expect(asOf(page)).toBeHidden();
    await expect.poll(async () => (await readDevice(page)).names.some(([, , name]) => name === third?.id)).toBe(false);
    server.cut();
    await page.goto(`${server.url}${third?.path}`);
    await expect(notHere(page)).toBeVisible();
    await expect(page.getByRole('heading', { name: third?.business.name ?? '' })).toBeHidden();
  });

  await page.goto('about:blank');
  await server.stop();
});

test('nobody but its user reads what a device keeps, and not for longer than seven days', async ({
  page,
  product,
  accounts,
  expectedErrors,
}) => {
  expectedErrors.push(NO_SERVER);
  const server = await startReleases(product.url);
  const [ann, ben] = [await createSeller(accounts, 4), await createSeller(accounts, 8)];
  const open = async ({ seller, leads: [lead] }: typeof ann) => {
    await accounts.signIn(page, seller);
    await page.goto(`${server.url}/today`);
    await expect(page.getByRole('link', { name: lead.business.name })).toBeVisible();
    await untilKept(page, seller);
  };
  const ownersOfEntries = async () => [...new Set((await readDevice(page)).names.map(([user]) => user))];

  await test.step('a log-out leaves nothing', async () => {
    await open(ann);
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
    await expect.poll(() => readDevice(page)).toEqual({ unlocked: [], names: [] });
  });

  await test.step('the next user of the device finds their own leads alone', async () => {
    await open(ann);
    await open(ben);
    expect(await ownersOfEntries()).toEqual([ben.seller.id]);
    expect((await readDevice(page)).unlocked).toEqual([ben.seller.id]);
    server.cut();
    await page.goto(`${server.url}${ann.leads[0].path}`);
    await expect(notHere(page)).toBeVisible();
    await page.goto(`${server.url}${ben.leads[0].path}`);
    await expect(heading(page, ben.leads[0].business.name)).toBeVisible();
  });

  await test.step('after seven days without contact nothing can be read', async () => {
    await page.clock.setFixedTime(Date.now() + 7 * DAY_MS);
    await page.reload();
    await expect(heading(page, 'Highstreet could not be opened')).toBeVisible();
    await expect.poll(() => readDevice(page)).toEqual({ unlocked: [], names: [] });
    await page.clock.setFixedTime(Date.now());
    await page.reload();
    await expect(heading(page, 'Highstreet could not be opened')).toBeVisible();
    server.restore();
  });

  await test.step('the device of a user who was deactivated is emptied at its next contact', async () => {
    await open(ben);
    const params = { id: String(ben.seller.id) };
    await accounts.sendAsAdmin(setUserActive, { params, body: { active: false } });
    await page.reload();
    await expect(heading(page, 'Sign in')).toBeVisible();
    await expect.poll(() => readDevice(page)).toEqual({ unlocked: [], names: [] });
  });

  await test.step('a device without space says so, and works with a connection', async () => {
    // The quota that the developer protocol can set does not reach this context.
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full', 'QuotaExceededError');
      };
    });
    await accounts.signIn(page, ann.seller);
    await page.goto(`${server.url}/today`);
    await expect(page.getByText('This device is full')).toBeVisible();
    await expect(page.getByRole('link', { name: ann.leads[0].business.name })).toBeVisible();
  });

  await page.goto('about:blank');
  await server.stop();
});
