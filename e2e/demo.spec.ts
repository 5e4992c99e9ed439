import { login } from '#contract/auth/auth.calls.ts';
import { listChanges } from '#contract/changes/changes.calls.ts';
import { listAllLeads } from '#contract/leads/lead-lists.calls.ts';
import { toLocalDate, toLocalHour, toWeekday } from '#contract/progress/calendar.ts';
import { getTeamAttention } from '#contract/progress/progress.calls.ts';
import { listSweeps } from '#contract/sweeps/sweeps.calls.ts';
import { getTerritories } from '#contract/territories/territories.calls.ts';
import { expect, test } from './product.ts';

const OLIVIA = { username: 'olivia', password: 'Highstreet-demo-1' };
const ZONE = 'Europe/London';
const DISTRICT = /\b([A-Z]{1,2}\d[A-Z\d]?) \d[A-Z]{2}\b/;

test("the demo's team works its own territories in working hours", async ({ request, startOwnProduct }) => {
  const { url } = await startOwnProduct('demo');
  await request.post(url + login.path, { data: OLIVIA });
  const read = async (call: { path: string }) => (await request.get(url + call.path)).json();

  const leads = listAllLeads.response.parse(await read(listAllLeads));
  const { territories } = getTerritories.response.parse(await read(getTerritories));
  expect(leads.length).toBeGreaterThan(300);
  const elsewhere = leads.filter(({ business, userBusiness: { userId } }) => {
    const district = DISTRICT.exec(business.formattedAddress ?? '')?.[1] ?? '';
    return !territories.find((each) => each.userId === userId)?.districts.includes(district);
  });
  expect(elsewhere.map(({ business, user }) => [business.formattedAddress, user.fullName])).toEqual([]);

  expect(leads.filter(({ business }) => business.latitude === null)).toEqual([]);

  const moments = leads
    .flatMap(({ userBusiness: { lastContactedAt, nextStepAt } }) => [lastContactedAt, nextStepAt])
    .flatMap((at) => (at ? new Date(at) : []));
  const isWorkingTime = (at: Date) =>
    toWeekday(toLocalDate(ZONE, at)) < 6 && toLocalHour(ZONE, at) >= 9 && toLocalHour(ZONE, at) < 17;
  expect(moments.filter((at) => !isWorkingTime(at))).toEqual([]);

  const attention = getTeamAttention.response.parse(await read(getTeamAttention));
  for (const { user, overdue, quiet } of attention) {
    expect(overdue, `overdue of ${user.fullName}`).toBeGreaterThan(0);
    expect(quiet, `quiet of ${user.fullName}`).toBeGreaterThan(0);
  }

  const { items } = listChanges.response.parse(await read(listChanges));
  expect(items.filter(({ kind }) => kind === 'import')).toMatchObject([{ canUndo: true }]);
  expect(items.filter(({ kind }) => kind === 'merge')).toMatchObject([{ canUndo: true }]);
  const { items: sweeps } = listSweeps.response.parse(await read(listSweeps));
  expect(sweeps).toMatchObject([{ state: 'done' }]);
});
