import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as auth from '#contract/auth/auth.calls.ts';
import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import * as imports from '#contract/import/import.calls.ts';
import type { AnyLeadCall } from '#contract/leads/lead-call.ts';
import * as leadExport from '#contract/leads/lead-export.calls.ts';
import * as lists from '#contract/leads/lead-lists.calls.ts';
import * as leads from '#contract/leads/leads.calls.ts';
import * as notifications from '#contract/notifications/notifications.calls.ts';
import * as progress from '#contract/progress/progress.calls.ts';
import * as search from '#contract/search/search.calls.ts';
import * as users from '#contract/users/users.calls.ts';
import { contactActivities } from '#server/kit/db/schema.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

/** `other` is a user who does not hold the lead that the call is about; the manager and the admin do not either. */
type Who = 'anonymous' | 'other' | 'holder' | 'manager' | 'admin';
type Access = Record<Who, 'through' | 401 | 403>;
const EVERYONE: Who[] = ['anonymous', 'other', 'holder', 'manager', 'admin'];
const open: Access = {
  anonymous: 'through',
  other: 'through',
  holder: 'through',
  manager: 'through',
  admin: 'through',
};
const signedIn: Access = { ...open, anonymous: 401 };
const adminsOnly: Access = { anonymous: 401, other: 403, holder: 403, manager: 403, admin: 'through' };
const managersAndAdmins: Access = { ...signedIn, other: 403, holder: 403 };
const whoSeesTheLead: Access = { ...signedIn, other: 403 };
const whoChangesTheLead: Access = { ...signedIn, other: 403, manager: 403 };

const both = ({ byId, byUuid }: AnyLeadCall, access: Access): [AnyCall, Access][] => [
  [byId, access],
  [byUuid, access],
];

/** Who gets past the gate of each call. A call that is missing here fails the test below. */
const TABLE: [AnyCall, Access][] = [
  [auth.getUser, signedIn],
  [auth.login, open],
  [auth.register, { anonymous: 403, other: 403, holder: 403, manager: 403, admin: 403 }],
  [auth.logout, open],
  [auth.forgotPassword, open],
  [auth.verifyResetToken, open],
  [auth.resetPassword, open],
  [auth.getSetup, open],
  [auth.getSettings, signedIn],
  [users.listUsers, adminsOnly],
  [users.createUser, adminsOnly],
  [users.changeUser, adminsOnly],
  [users.setUserPassword, adminsOnly],
  [users.unlockUser, adminsOnly],
  [users.setUserActive, adminsOnly],
  [users.deleteUser, adminsOnly],
  [leads.assignBusiness, adminsOnly],
  [leads.usersForReassignment, signedIn],
  ...both(leads.getLead, whoSeesTheLead),
  ...both(leads.getAssignmentHistory, whoSeesTheLead),
  ...both(leads.reassignLead, whoSeesTheLead),
  ...both(leads.viewLead, whoChangesTheLead),
  ...both(leads.openLead, whoChangesTheLead),
  ...both(leads.changeLeadStatus, whoChangesTheLead),
  ...both(leads.changeCustomFields, whoChangesTheLead),
  ...both(leads.changeLeadNotes, whoChangesTheLead),
  ...both(leads.addActivity, whoChangesTheLead),
  [leads.deleteActivity, whoChangesTheLead],
  ...both(leads.addTag, whoChangesTheLead),
  ...both(leads.removeTag, whoChangesTheLead),
  ...both(leads.archiveLead, whoChangesTheLead),
  ...both(leads.restoreLead, whoChangesTheLead),
  ...both(leads.markExistingCustomer, whoChangesTheLead),
  ...both(leads.unmarkExistingCustomer, whoChangesTheLead),
  ...both(leads.deleteLead, whoChangesTheLead),
  [leads.changeWebsite, whoChangesTheLead],
  [leads.changeWebsiteByPlace, whoChangesTheLead],
  [leads.changePhone, whoChangesTheLead],
  [lists.listLeads, signedIn],
  [lists.listLeadPoints, signedIn],
  [lists.listLeadTowns, signedIn],
  [lists.listLeadTags, signedIn],
  [lists.listLeadStatuses, signedIn],
  [lists.listAllTags, signedIn],
  [lists.allAssignments, signedIn],
  [lists.allArchived, signedIn],
  [lists.myBusinesses, signedIn],
  [lists.myArchived, signedIn],
  [leadExport.countLeads, signedIn],
  [leadExport.exportLeads, signedIn],
  // Judged lead by lead: bulk.routes.test.ts.
  [lists.bulkDelete, signedIn],
  [lists.bulkArchive, signedIn],
  [lists.bulkRestore, signedIn],
  [lists.bulkUpdateStatus, signedIn],
  [lists.bulkReassign, signedIn],
  [imports.importBusinesses, adminsOnly],
  [search.searchBusinesses, signedIn],
  [search.exportBusinesses, signedIn],
  [search.usersToAssign, adminsOnly],
  [progress.getWeeklyContacts, signedIn],
  [progress.getMonthlyContacts, signedIn],
  [progress.getTeamProgress, managersAndAdmins],
  [progress.getTeamProgressWeekly, managersAndAdmins],
  [progress.getTeamProgressLastWeek, managersAndAdmins],
  [progress.getMonthSeries, managersAndAdmins],
  [notifications.listNotifications, signedIn],
  [notifications.readNotification, signedIn],
  [notifications.readAllNotifications, signedIn],
];

let t: TestApp;
const people = {} as Record<Who, TestUser | null>;
beforeAll(async () => {
  t = await testApp();
  const role = { other: 'user', holder: 'user', manager: 'manager', admin: 'admin' } as const;
  for (const who of EVERYONE) people[who] = who === 'anonymous' ? null : await t.user(role[who]);
});
afterAll(() => t.close());

test('every call of the contract is in the table and mounted, and nothing else is', () => {
  const name = ({ method, path }: AnyCall) => `${method} ${path}`;
  const inTable = TABLE.map(([call]) => name(call)).sort();
  expect(inTable).toEqual(Object.values(CALLS).flat().map(name).sort());
  const byHand = ['GET /api/docs', 'GET /api/openapi.json', 'GET /api/events'];
  expect(t.app.http.apiRoutes.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(
    [...inTable, ...byHand].sort(),
  );
});

test('outside the API nothing is mounted but what has a rule of its own', () => {
  const routes = t.app.http.otherRoutes.filter((route) => !route.startsWith('HEAD '));
  // The first two are for everybody and tell nothing; who may read the metrics: metrics.api.test.ts.
  expect(routes.sort()).toEqual(['GET /healthz', 'GET /metrics', 'GET /readyz']);
});

/** Everything that a refused call might have touched. The audit is left out: it writes the refusal down. */
const everything = async () => {
  const { rows } = await t.db.execute(sql`select
    (select md5(json_agg(u order by id)::text) from users u) as users,
    (select md5(json_agg(p order by id)::text) from password_reset_tokens p) as tokens,
    (select md5(json_agg(o order by id)::text) from mail_outbox o) as mails,
    (select md5(json_agg(s.id order by id)::text) from sessions s) as sessions,
    (select md5(json_agg(b order by id)::text) from businesses b) as businesses,
    (select md5(json_agg(l order by id)::text) from user_businesses l) as leads,
    (select md5(json_agg(a order by id)::text) from contact_activities a) as activities,
    (select md5(json_agg(h order by id)::text) from assignment_history h) as history,
    (select md5(json_agg(n order by id)::text) from notifications n) as notifications,
    (select md5(json_agg(c order by lead_id)::text) from contact_credits c) as credits`);
  return rows;
};

/** Something real behind every parameter that a path may have. */
async function everyParameter({ path }: AnyCall) {
  const lead = await t.lead(people.holder as TestUser, { tags: ['hot'] });
  const [activity] = await t.db
    .insert(contactActivities)
    .values({ userBusinessId: lead.id, type: 'call', description: 'Rang' })
    .returning();
  return {
    id: path.startsWith('/api/users/') ? (await t.user()).id : lead.id,
    uuid: lead.uuid,
    tag: 'hot',
    activityId: activity?.id,
    businessId: lead.businessId,
    placeId: lead.business.placeId,
    token: 'nonsense',
  };
}

describe.each(TABLE.map(([call, expected]) => ({ name: `${call.method} ${call.path}`, call, expected })))(
  '$name',
  ({ call, expected }) => {
    test.each(EVERYONE)('%s', async (who) => {
      const params = await everyParameter(call);
      // Logging out would end the session that the other tests go on with.
      const caller = call === auth.logout && people[who] ? await t.user(people[who].role) : people[who];
      const before = await everything();

      // A nonsense body: whoever may call is told so with 400, everybody else must not learn that anyone looked.
      const body = { nonsense: true } as never;
      const response = await t.request(caller, call, call.method === 'GET' ? { params } : { params, body });

      const wanted = expected[who];
      if (wanted === 'through') expect([401, 403]).not.toContain(response.status);
      else {
        expect(response.status).toBe(wanted);
        expect(response.body).not.toHaveProperty('errors');
        expect(await everything()).toEqual(before);
      }
    });
  },
);

test.each(['/api/docs', '/api/openapi.json'])('%s is for signed-in users', async (url) => {
  expect((await t.inject({ url })).statusCode).toBe(401);
  const response = await t.inject({ url, headers: { cookie: people.other?.cookie ?? '' } });
  expect(response.statusCode).toBe(200);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.body).toContain('/api/users/{id}/set-active-status');
});

test('the API document is OpenAPI 3.1 and describes every call', async () => {
  const document = (
    await t.inject({ url: '/api/openapi.json', headers: { cookie: people.other?.cookie ?? '' } })
  ).json();
  expect(document.openapi).toBe('3.1.0');
  for (const call of Object.values(CALLS).flat()) {
    const described = document.paths[call.path.replace(/:(\w+)/g, '{$1}')][call.method.toLowerCase()];
    expect(described).toMatchObject({ summary: call.summary, 'x-access': call.access });
    expect(described.responses).toHaveProperty(String(call.success));
  }
  expect(document.paths['/api/login'].post.requestBody.content['application/json'].schema.properties).toHaveProperty(
    'password',
  );
});

test('a refused call is written down', async () => {
  await t.request(people.other ?? null, users.listUsers);
  await expect
    .poll(async () => {
      const { rows } = await t.db.execute(sql`select details from audit_events
        where event = 'call_refused' and actor_id = ${people.other?.id} order by id desc limit 1`);
      return rows[0]?.details;
    })
    .toEqual({ code: 'forbidden', route: '/api/users', method: 'GET' });
});
