import { login, register } from '#contract/auth/auth.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import {
  addActivity,
  assignBusiness,
  changeLeadNotes,
  changeLeadStatus,
  getLead,
} from '#contract/leads/leads.calls.ts';
import { getMonthlyContacts } from '#contract/progress/progress.calls.ts';
import { createUser } from '#contract/users/users.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { readSetCookie, type TestApp } from './test-app.ts';

const ada = { username: 'ada', password: 'eight characters', email: 'ada@example.test', fullName: 'Ada Example' };
const tom = { username: 'tom', password: 'Number 9 bakes', email: 'tom@example.test', fullName: 'Tom "№ 9" Ünal' };

/** Two users with accounts and a dozen worked leads, created through the API. */
export async function createTeamWithLeads(t: TestApp) {
  const admin = { cookie: readSetCookie((await t.request(null, register, { body: ada })).headers) };
  const created = await t.request(admin, createUser, { body: { ...tom, role: 'user', monthlyGoal: 40 } });
  const many = Array.from({ length: 12 }, (_, nth) => ({ placeId: `p${nth}`, name: `Café № ${nth}`, town: 'Leeds' }));
  const found = await t.db.insert(businesses).values(many).returning({ id: businesses.id });
  for (const { id } of found) {
    const { body } = await t.request(admin, assignBusiness, {
      body: { userId: created.body.id, businessId: id, tags: ['hot', 'ü;"'] },
    });
    const params = { id: body.id };
    if (id % 2) await t.request(admin, changeLeadStatus.byId, { params, body: { status: 'in_progress' } });
    if (id % 3) await t.request(admin, changeLeadNotes.byId, { params, body: { notes: `Line 1\nline 2 of ${id} 😀` } });
    if (id % 4) await t.request(admin, addActivity.byId, { params, body: { type: 'call', notes: 'Rang' } });
  }
}

/** Signs in with the original passwords and reads the list, a lead and the progress of each user. */
export async function readTeamData(t: TestApp) {
  const signedIn = await Promise.all(
    [ada, tom].map(async ({ username, password }) => {
      const response = await t.request(null, login, { body: { username, password } });
      if (response.status !== 200) throw new Error(`${username} cannot sign in: ${response.status}`);
      return { cookie: readSetCookie(response.headers) };
    }),
  );
  return Promise.all(
    signedIn.map(async (person) => {
      const list = await t.request(person, listLeads, { query: { pageSize: 100 } });
      const first = list.body.items[0];
      if (!first) throw new Error('there are no leads');
      return {
        list: list.body,
        lead: (await t.request(person, getLead.byId, { params: { id: first.userBusiness.id } })).body,
        month: (await t.request(person, getMonthlyContacts)).body,
      };
    }),
  );
}

/** The administrator assigns another business. Returns the id of the new lead, which continues the sequence. */
export async function assignAnotherBusiness(t: TestApp): Promise<number> {
  const { headers, body } = await t.request(null, login, { body: { username: ada.username, password: ada.password } });
  const [business] = await t.db.insert(businesses).values({ placeId: 'one-more', name: 'One More' }).returning();
  const response = await t.request({ cookie: readSetCookie(headers) }, assignBusiness, {
    body: { userId: body.id, businessId: business?.id ?? 0 },
  });
  if (response.status !== 201) throw new Error(`not assigned: ${response.status}`);
  return response.body.id;
}
