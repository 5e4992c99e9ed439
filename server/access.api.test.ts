import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as account from '#contract/account/account.calls.ts';
import * as codes from '#contract/account/codes.calls.ts';
import * as invitations from '#contract/account/invitations.calls.ts';
import { signInWithPasskey, startPasskeySignIn } from '#contract/account/passkey-sign-in.calls.ts';
import * as passkeys from '#contract/account/passkeys.calls.ts';
import * as proof from '#contract/account/proof.calls.ts';
import * as audit from '#contract/audit/audit.calls.ts';
import * as auth from '#contract/auth/auth.calls.ts';
import { getDeviceKey } from '#contract/auth/device-key.calls.ts';
import * as passwordReset from '#contract/auth/password-reset.calls.ts';
import { reportSignIn } from '#contract/auth/report-sign-in.calls.ts';
import { changeStart, getSettings } from '#contract/auth/settings.calls.ts';
import * as sso from '#contract/auth/sso.calls.ts';
import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import * as changes from '#contract/changes/changes.calls.ts';
import * as objections from '#contract/contact-rules/objections.calls.ts';
import * as coverage from '#contract/coverage/coverage.calls.ts';
import { listDistricts } from '#contract/districts/districts.calls.ts';
import * as duplicates from '#contract/duplicates/duplicates.calls.ts';
import { find } from '#contract/find/find.calls.ts';
import { getFirstSteps } from '#contract/first-steps/first-steps.calls.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import * as importJobs from '#contract/import/import-jobs.calls.ts';
import { upsertLeads } from '#contract/import/upsert.calls.ts';
import { cancelJob, getJob } from '#contract/jobs/jobs.calls.ts';
import * as adding from '#contract/leads/adding/adding.calls.ts';
import * as bulk from '#contract/leads/bulk/bulk.calls.ts';
import * as bulkJobs from '#contract/leads/bulk/bulk-jobs.calls.ts';
import * as comments from '#contract/leads/comments/comments.calls.ts';
import * as followUps from '#contract/leads/follow-ups/follow-ups.calls.ts';
import type { AnyLeadCall } from '#contract/leads/lead-call.ts';
import * as leadExport from '#contract/leads/lead-export.calls.ts';
import * as lists from '#contract/leads/lead-lists.calls.ts';
import * as leads from '#contract/leads/leads.calls.ts';
import * as log from '#contract/leads/log/log.calls.ts';
import * as leadObjections from '#contract/leads/objections/lead-objections.calls.ts';
import * as ownFields from '#contract/leads/own-fields/own-fields.calls.ts';
import * as pocket from '#contract/leads/pocket/pocket.calls.ts';
import * as timeline from '#contract/leads/timeline/timeline.calls.ts';
import * as today from '#contract/leads/today/today.calls.ts';
import * as trip from '#contract/leads/trip/trip.calls.ts';
import { getMapFile } from '#contract/map/map.calls.ts';
import * as notifications from '#contract/notifications/notifications.calls.ts';
import * as progress from '#contract/progress/progress.calls.ts';
import * as proposals from '#contract/proposals/proposals.calls.ts';
import * as push from '#contract/push/push.calls.ts';
import * as reminders from '#contract/reminders/reminders.calls.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { listContacts } from '#contract/reports/contacts.calls.ts';
import { getPipeline } from '#contract/reports/pipeline.calls.ts';
import { exportReport } from '#contract/reports/report-file.calls.ts';
import { getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import * as search from '#contract/search/search.calls.ts';
import * as teamSettings from '#contract/settings/settings.calls.ts';
import * as sweeps from '#contract/sweeps/sweeps.calls.ts';
import * as system from '#contract/system/system.calls.ts';
import * as territories from '#contract/territories/territories.calls.ts';
import * as tokens from '#contract/tokens/tokens.calls.ts';
import * as users from '#contract/users/users.calls.ts';
import * as views from '#contract/views/views.calls.ts';
import * as webhooks from '#contract/webhooks/webhooks.calls.ts';
import { createParameters } from '#server/testing/access/call-parameters.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

/** `other` is a user who does not hold the lead of the call; neither do the manager and the admin. */
type Caller = 'anonymous' | 'other' | 'holder' | 'manager' | 'admin';
type Access = Record<Caller, 'through' | 401 | 403>;
const CALLERS: Caller[] = ['anonymous', 'other', 'holder', 'manager', 'admin'];
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
const whoMaySeeTheLead: Access = { ...signedIn, other: 403 };
const whoMayChangeTheLead: Access = { ...signedIn, other: 403, manager: 403 };

const both = ({ byId, byUuid }: AnyLeadCall, access: Access): [AnyCall, Access][] => [
  [byId, access],
  [byUuid, access],
];

/** Who passes the guard of each call. A call that is missing here fails the test below. */
const TABLE: [AnyCall, Access][] = [
  [auth.getUser, signedIn],
  [auth.login, open],
  [auth.register, { anonymous: 403, other: 403, holder: 403, manager: 403, admin: 403 }],
  [auth.logout, open],
  [passwordReset.forgotPassword, open],
  [passwordReset.verifyResetToken, open],
  [passwordReset.resetPassword, open],
  [auth.getSetup, open],
  // Without a provider they are 404: sso.routes.test.ts.
  [auth.getSso, open],
  [sso.startSso, open],
  [sso.finishSso, open],
  [sso.endSsoSessions, open],
  [sso.listUsersWithSso, adminsOnly],
  [sso.disconnectSsoOfUser, adminsOnly],
  [account.getAccount, signedIn],
  [account.changeName, signedIn],
  [account.changePassword, signedIn],
  [account.changeEmail, signedIn],
  [account.withdrawEmail, signedIn],
  [account.listSessions, signedIn],
  [account.endSession, signedIn],
  [account.endOtherSessions, signedIn],
  [account.exportAccount, signedIn],
  [tokens.listTokens, signedIn],
  [tokens.createToken, signedIn],
  [tokens.endToken, signedIn],
  [tokens.listTeamTokens, adminsOnly],
  [tokens.endTeamToken, adminsOnly],
  [webhooks.listWebhooks, adminsOnly],
  [webhooks.createWebhook, adminsOnly],
  [webhooks.changeWebhook, adminsOnly],
  [webhooks.deleteWebhook, adminsOnly],
  [webhooks.changeWebhookKey, adminsOnly],
  [webhooks.testWebhook, adminsOnly],
  [webhooks.listDeliveries, adminsOnly],
  [webhooks.getDelivery, adminsOnly],
  [webhooks.sendAgain, adminsOnly],
  // Only programs make them; they are of their user: proposals.routes.test.ts.
  [proposals.createProposal, { ...signedIn, other: 403, holder: 403, manager: 403, admin: 403 }],
  [proposals.listProposals, signedIn],
  [proposals.decideProposal, signedIn],
  [codes.getCodes, signedIn],
  [codes.setUpCodes, signedIn],
  [codes.confirmCodes, signedIn],
  [codes.renewRecoveryCodes, signedIn],
  [codes.removeCodes, signedIn],
  [codes.listUsersWithCodes, adminsOnly],
  [codes.removeCodesOfUser, adminsOnly],
  [passkeys.listPasskeys, signedIn],
  [passkeys.startPasskey, signedIn],
  [passkeys.addPasskey, signedIn],
  [passkeys.renamePasskey, signedIn],
  [passkeys.removePasskey, signedIn],
  [startPasskeySignIn, open],
  [signInWithPasskey, open],
  [proof.getProofs, signedIn],
  [proof.startPasskeyProof, signedIn],
  [proof.prove, signedIn],
  // By the token of a mail: account.routes.test.ts.
  [account.confirmEmail, open],
  [reportSignIn, open],
  [getSettings, signedIn],
  [getDeviceKey, signedIn],
  [pocket.getPocket, signedIn],
  [pocket.getPocketLeads, signedIn],
  [changeStart, signedIn],
  [teamSettings.getTeamSettings, signedIn],
  [teamSettings.changeTeamSettings, adminsOnly],
  [getFirstSteps, adminsOnly],
  [users.listUsers, adminsOnly],
  [users.createUser, adminsOnly],
  [users.changeUser, adminsOnly],
  [users.setUserPassword, adminsOnly],
  [users.unlockUser, adminsOnly],
  [users.setUserActive, adminsOnly],
  [users.deleteUser, adminsOnly],
  [invitations.listInvitations, adminsOnly],
  [invitations.createInvitation, adminsOnly],
  [invitations.sendInvitation, adminsOnly],
  [invitations.withdrawInvitation, adminsOnly],
  // By the token of a mail: invitations.routes.test.ts.
  [invitations.getInvitation, open],
  [invitations.startInvitedPasskey, open],
  [invitations.acceptInvitation, open],
  [leads.assignBusiness, adminsOnly],
  [leads.listUsersForReassignment, signedIn],
  // Authorised item by item: upsert.routes.test.ts.
  [upsertLeads, signedIn],
  // As long as the team's setting is off: adding.routes.test.ts.
  [adding.addLead, adminsOnly],
  [adding.takeLead, adminsOnly],
  [adding.listLookAlikes, adminsOnly],
  [adding.listUnassigned, adminsOnly],
  ...both(leads.getLead, whoMaySeeTheLead),
  ...both(leads.getAssignmentHistory, whoMaySeeTheLead),
  ...both(timeline.getTimeline, whoMaySeeTheLead),
  ...both(leads.reassignLead, whoMaySeeTheLead),
  ...both(leads.markViewedInList, whoMayChangeTheLead),
  ...both(leads.markViewedOnProfile, whoMayChangeTheLead),
  ...both(leads.changeLeadStatus, whoMayChangeTheLead),
  ...both(leads.changeCustomFields, whoMayChangeTheLead),
  ...both(leads.changeOwnValues, whoMayChangeTheLead),
  ...both(leads.changeLeadNotes, whoMayChangeTheLead),
  ...both(leads.addActivity, whoMayChangeTheLead),
  [leads.deleteActivity, whoMayChangeTheLead],
  ...both(log.logContact, whoMayChangeTheLead),
  ...both(leadObjections.listLeadObjections, whoMaySeeTheLead),
  ...both(leadObjections.recordLeadObjection, whoMayChangeTheLead),
  [objections.listObjections, adminsOnly],
  [objections.addObjection, adminsOnly],
  [objections.liftObjection, adminsOnly],
  [objections.exportObjections, adminsOnly],
  [objections.importObjections, adminsOnly],
  ...both(comments.addComment, whoMaySeeTheLead),
  // The comment is the holder's.
  [comments.deleteComment, whoMayChangeTheLead],
  [ownFields.listOwnFields, signedIn],
  [ownFields.createOwnField, adminsOnly],
  [ownFields.changeOwnField, adminsOnly],
  [ownFields.orderOwnFields, adminsOnly],
  [ownFields.archiveOwnField, adminsOnly],
  [ownFields.restoreOwnField, adminsOnly],
  [ownFields.countOwnFieldValues, adminsOnly],
  [ownFields.deleteOwnField, adminsOnly],
  ...both(followUps.getFollowUp, whoMaySeeTheLead),
  ...both(followUps.planFollowUp, whoMayChangeTheLead),
  [followUps.completeFollowUp, whoMayChangeTheLead],
  [followUps.dropFollowUp, whoMayChangeTheLead],
  ...both(leads.addTag, whoMayChangeTheLead),
  ...both(leads.removeTag, whoMayChangeTheLead),
  ...both(leads.archiveLead, whoMayChangeTheLead),
  ...both(leads.restoreLead, whoMayChangeTheLead),
  ...both(leads.markExistingCustomer, whoMayChangeTheLead),
  ...both(leads.unmarkExistingCustomer, whoMayChangeTheLead),
  ...both(leads.deleteLead, whoMayChangeTheLead),
  [leads.changeWebsite, whoMayChangeTheLead],
  [leads.changeWebsiteByPlace, whoMayChangeTheLead],
  [leads.changePhone, whoMayChangeTheLead],
  [leads.confirmPhone, whoMayChangeTheLead],
  [leads.changeBusinessType, whoMayChangeTheLead],
  [listDistricts, signedIn],
  // Without a user it is the whole team's.
  [coverage.getCoverage, managersAndAdmins],
  [coverage.refreshCoverage, managersAndAdmins],
  [getFunnel, managersAndAdmins],
  [getGroups, managersAndAdmins],
  [getActivity, managersAndAdmins],
  [getCallTimes, managersAndAdmins],
  [listContacts, managersAndAdmins],
  [getSlipped, managersAndAdmins],
  [getPipeline, managersAndAdmins],
  [exportReport, managersAndAdmins],
  [find, signedIn],
  [lists.listLeads, signedIn],
  [lists.listLeadPoints, signedIn],
  [trip.planTrip, signedIn],
  // The trip of the viewer, and of leads that the viewer may see: trip.routes.test.ts.
  [trip.getTrip, signedIn],
  [trip.startTrip, signedIn],
  [trip.changeStops, signedIn],
  [trip.checkIn, signedIn],
  [trip.endTrip, signedIn],
  [lists.listLeadTowns, signedIn],
  [lists.listLeadTags, signedIn],
  [lists.listLeadStatuses, signedIn],
  [lists.listLeadTypes, signedIn],
  [lists.listLeadOrigins, signedIn],
  [lists.listAllTags, signedIn],
  [lists.listAllLeads, signedIn],
  [lists.listAllArchivedLeads, signedIn],
  [lists.listOwnLeads, signedIn],
  [lists.listOwnArchivedLeads, signedIn],
  [getMapFile, signedIn],
  [leadExport.countLeads, signedIn],
  [leadExport.exportLeads, signedIn],
  // Authorised lead by lead: bulk.routes.test.ts.
  [lists.bulkDelete, signedIn],
  [lists.bulkArchive, signedIn],
  [lists.bulkRestore, signedIn],
  [lists.bulkUpdateStatus, signedIn],
  [lists.bulkPlanFollowUp, signedIn],
  [lists.bulkDropFollowUps, signedIn],
  [lists.bulkReassign, signedIn],
  [bulk.bulkAddTag, signedIn],
  [bulk.bulkRemoveTag, signedIn],
  [bulk.bulkSetField, signedIn],
  [bulk.getShares, managersAndAdmins],
  // Authorised lead by lead; a job is its user's own: bulk-jobs.routes.test.ts.
  [bulkJobs.startBulkJob, signedIn],
  [bulkJobs.getLatestBulkJob, signedIn],
  [bulkJobs.cancelBulkJob, signedIn],
  [getJob, signedIn],
  [cancelJob, signedIn],
  [bulkJobs.previewDistribution, managersAndAdmins],
  [bulkJobs.previewTerritories, managersAndAdmins],
  [territories.getTerritories, signedIn],
  [territories.changeTerritories, adminsOnly],
  [territories.countTerritoryLeads, adminsOnly],
  [territories.moveTerritoryLeads, adminsOnly],
  [territories.previewAssignment, adminsOnly],
  [territories.assignBusinesses, adminsOnly],
  // Authorised view by view, and by role where it is shared: views.routes.test.ts.
  [views.listViews, signedIn],
  [views.createView, signedIn],
  [views.changeView, signedIn],
  [views.deleteView, signedIn],
  [views.restoreView, signedIn],
  [views.setViewPreferences, signedIn],
  [views.countPinnedViews, signedIn],
  // Authorised batch by batch: undo.routes.test.ts.
  [changes.listChanges, signedIn],
  [changes.getChangeBatch, signedIn],
  [changes.undoChanges, signedIn],
  [changes.exportChanges, adminsOnly],
  [importBusinesses, adminsOnly],
  [importJobs.createImport, adminsOnly],
  [importJobs.listImports, adminsOnly],
  [importJobs.getImport, adminsOnly],
  [importJobs.mapImport, adminsOnly],
  [importJobs.checkImport, adminsOnly],
  [importJobs.startImport, adminsOnly],
  [importJobs.cancelImport, adminsOnly],
  [importJobs.continueImport, adminsOnly],
  [importJobs.discardImport, adminsOnly],
  [importJobs.listRefusedRows, adminsOnly],
  [importJobs.correctRows, adminsOnly],
  [duplicates.listDuplicates, adminsOnly],
  [duplicates.findDuplicateMatches, adminsOnly],
  [duplicates.dismissDuplicates, adminsOnly],
  [duplicates.reopenDuplicates, adminsOnly],
  [duplicates.mergeBusinesses, adminsOnly],
  [duplicates.undoMerge, adminsOnly],
  [sweeps.estimateSweep, adminsOnly],
  [sweeps.startSweep, adminsOnly],
  [sweeps.listSweeps, adminsOnly],
  [sweeps.getSweep, adminsOnly],
  [sweeps.listSweepDistricts, adminsOnly],
  [sweeps.listSweepResults, adminsOnly],
  [sweeps.pauseSweep, adminsOnly],
  [sweeps.continueSweep, adminsOnly],
  [sweeps.cancelSweep, adminsOnly],
  [sweeps.assignSweepResults, adminsOnly],
  [sweeps.previewSweepTerritories, adminsOnly],
  [search.searchBusinesses, signedIn],
  [search.exportBusinesses, signedIn],
  [search.listUsersToAssign, adminsOnly],
  [progress.getWeeklyContacts, signedIn],
  [progress.getMonthlyContacts, signedIn],
  [progress.getTeamProgress, managersAndAdmins],
  [progress.getTeamProgressWeekly, managersAndAdmins],
  [progress.getTeamProgressLastWeek, managersAndAdmins],
  [progress.getMonthSeries, managersAndAdmins],
  [progress.getTeamAttention, managersAndAdmins],
  [notifications.listNotifications, signedIn],
  [today.getToday, signedIn],
  [today.getTodayCounts, signedIn],
  [notifications.readNotification, signedIn],
  [notifications.readAllNotifications, signedIn],
  [push.getPush, signedIn],
  [push.changePushSettings, signedIn],
  [push.addPushSubscription, signedIn],
  [push.removePushSubscription, signedIn],
  [reminders.getReminderSettings, signedIn],
  [reminders.changeReminderSettings, signedIn],
  [reminders.createCalendarFeed, signedIn],
  [reminders.revokeCalendarFeed, signedIn],
  // By the token in its address: reminders.routes.test.ts.
  [reminders.getCalendar, open],
  // By the token of a mail: stop-weekly-email.routes.test.ts.
  [reminders.openStopWeeklyEmail, open],
  [reminders.stopWeeklyEmail, open],
  [audit.listAuditEvents, adminsOnly],
  [audit.exportAuditEvents, adminsOnly],
  [system.getSystem, adminsOnly],
  [system.startBackup, adminsOnly],
  // The password is asked again after this: system.routes.test.ts.
  [system.downloadBackup, adminsOnly],
];

let t: TestApp;
const callers = {} as Record<Caller, TestUser | null>;
beforeAll(async () => {
  t = await testApp();
  const role = { other: 'user', holder: 'user', manager: 'manager', admin: 'admin' } as const;
  for (const caller of CALLERS) callers[caller] = caller === 'anonymous' ? null : await t.user(role[caller]);
});
afterAll(() => t.close());

test('every call of the contract is in the table and mounted, and no other route is', () => {
  const name = ({ method, path }: AnyCall) => `${method} ${path}`;
  const inTable = TABLE.map(([call]) => name(call)).sort();
  expect(inTable).toEqual(Object.values(CALLS).flat().map(name).sort());
  const byHand = ['GET /api/docs', 'GET /api/openapi.json', 'GET /api/events'];
  expect(t.app.http.apiRoutes.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(
    [...inTable, ...byHand].sort(),
  );
});

test('outside the API only routes with their own access rule are mounted', () => {
  const routes = t.app.http.otherRoutes.filter((route) => !route.startsWith('HEAD '));
  // Health checks are public and reveal nothing; access to the metrics: metrics.api.test.ts.
  // MCP is for tokens alone: mcp.api.test.ts.
  expect(routes.sort()).toEqual(['GET /healthz', 'GET /metrics', 'GET /readyz', 'POST /mcp']);
});

/** What a refused call might have changed: all but the audit, which records the refusal, and the time of a session's last use. */
const TABLES = [
  'users',
  'api_tokens',
  'proposals',
  'proposal_changes',
  'password_reset_tokens',
  'mail_outbox',
  'businesses',
  'user_businesses',
  'contact_activities',
  'lead_comments',
  'assignment_history',
  'notifications',
  'calendar_feeds',
  'device_keys',
  'imports',
  // Those of users: the product's own may run meanwhile.
  'jobs where user_id is not null',
  'sweeps',
  'saved_views',
  'view_preferences',
  'trips',
  'trip_stops',
  'objections',
  'objection_subjects',
  'territory_districts',
  'contact_credits',
];

/** Rows and the transactions that wrote them: every insert, update and delete is seen, without reading the values. */
const snapshot = async () => {
  const written = TABLES.map((table) => sql`select count(*), sum(xmin::text::bigint) from ${sql.raw(table)}`);
  const sessions = sql`select count(*), sum(hashtext(id)) from sessions`;
  return (await t.db.execute(sql.join([...written, sessions], sql` union all `))).rows;
};

describe.each(TABLE.map(([call, expected]) => ({ name: `${call.method} ${call.path}`, call, expected })))(
  '$name',
  ({ call, expected }) => {
    test.each(CALLERS)('%s', async (caller) => {
      const params = await createParameters(t, call, callers.holder as TestUser);
      // Logging out would end the session that the other tests use.
      const sender = call === auth.logout && callers[caller] ? await t.user(callers[caller].role) : callers[caller];
      const expectedStatus = expected[caller];
      const before = expectedStatus === 'through' ? undefined : await snapshot();

      // An invalid body: permitted callers get 400, refused ones must not see validation errors.
      const body = { nonsense: true } as never;
      const response = await t.request(sender, call, call.method === 'GET' ? { params } : { params, body });

      if (expectedStatus === 'through') expect([401, 403]).not.toContain(response.status);
      else {
        expect(response.status).toBe(expectedStatus);
        expect(response.body).not.toHaveProperty('errors');
        expect(await snapshot()).toEqual(before);
      }
    });
  },
);

test.each(['/api/docs', '/api/openapi.json'])('%s is for anyone where the operator says so', async (url) => {
  const open = await testApp({ env: { API_DOCS: 'public' } });
  try {
    const response = await open.inject({ url });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('/api/leads');
    expect(response.body).toContain('HIGHSTREET_TOKEN');
    expect((await open.inject({ url: '/api/leads' })).statusCode).toBe(401);
  } finally {
    await open.close();
  }
});

test.each(['/api/docs', '/api/openapi.json'])('%s is for signed-in users', async (url) => {
  expect((await t.inject({ url })).statusCode).toBe(401);
  const response = await t.inject({ url, headers: { cookie: callers.other?.cookie ?? '' } });
  expect(response.statusCode).toBe(200);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.body).toContain('/api/users/{id}/set-active-status');
});

test('the API document is OpenAPI 3.1 and describes every call', async () => {
  const document = (
    await t.inject({ url: '/api/openapi.json', headers: { cookie: callers.other?.cookie ?? '' } })
  ).json();
  expect(document.openapi).toBe('3.1.0');
  const toShape = (path: string) => path.replace(/:\w+|\{\w+\}/g, '{}');
  const paths = new Map(
    Object.entries<Record<string, object>>(document.paths).map(([path, of]) => [toShape(path), of]),
  );
  expect(paths.size, 'no path is there twice').toBe(Object.keys(document.paths).length);
  for (const call of Object.values(CALLS).flat()) {
    const described = paths.get(toShape(call.path))?.[call.method.toLowerCase()] as Record<string, object>;
    expect(described).toMatchObject({ summary: call.summary, 'x-access': call.access });
    expect(described.responses).toHaveProperty(String(call.success));
  }
  expect(document.paths['/api/login'].post.requestBody.content['application/json'].schema.properties).toHaveProperty(
    'password',
  );
});

test('a refused call is audited', async () => {
  await t.request(callers.other ?? null, users.listUsers);
  await expect
    .poll(async () => {
      const { rows } = await t.db.execute(sql`select details from audit_events
        where event = 'call_refused' and actor_id = ${callers.other?.id} order by id desc limit 1`);
      return rows[0]?.details;
    })
    .toEqual({ code: 'forbidden', route: '/api/users', method: 'GET' });
});
