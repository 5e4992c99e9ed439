import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as account from '#contract/account/account.calls.ts';
import * as codes from '#contract/account/codes.calls.ts';
import * as invitations from '#contract/account/invitations.calls.ts';
import * as passkeyCalls from '#contract/account/passkeys.calls.ts';
import { exportAuditEvents, listAuditEvents } from '#contract/audit/audit.calls.ts';
import { auditEvent } from '#contract/audit/audit.ts';
import { login, logout, register } from '#contract/auth/auth.calls.ts';
import { getDeviceKey } from '#contract/auth/device-key.calls.ts';
import { forgotPassword, resetPassword } from '#contract/auth/password-reset.calls.ts';
import { reportSignIn } from '#contract/auth/report-sign-in.calls.ts';
import { disconnectSsoOfUser, endSsoSessions } from '#contract/auth/sso.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import { BATCH_HEADER, exportChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import * as objectionCalls from '#contract/contact-rules/objections.calls.ts';
import { dismissDuplicates, mergeBusinesses, reopenDuplicates } from '#contract/duplicates/duplicates.calls.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { bulkArchive } from '#contract/leads/lead-lists.calls.ts';
import { assignBusiness, deleteLead, reassignLead } from '#contract/leads/leads.calls.ts';
import { createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { createProposal, decideProposal } from '#contract/proposals/proposals.calls.ts';
import {
  changeReminderSettings,
  createCalendarFeed,
  revokeCalendarFeed,
  stopWeeklyEmail,
} from '#contract/reminders/reminders.calls.ts';
import { exportReport } from '#contract/reports/report-file.calls.ts';
import { exportBusinesses } from '#contract/search/search.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { startSweep } from '#contract/sweeps/sweeps.calls.ts';
import { downloadBackup, startBackup } from '#contract/system/system.calls.ts';
import { changeTerritories } from '#contract/territories/territories.calls.ts';
import { createToken, endToken } from '#contract/tokens/tokens.calls.ts';
import * as users from '#contract/users/users.calls.ts';
import * as webhookCalls from '#contract/webhooks/webhooks.calls.ts';
import { resetAccount } from '#server/account/reset-account.ts';
import { createStopToken } from '#server/reminders/stop-weekly-email.ts';
import { backups } from '#server/schema/backups.ts';
import { calendarFeeds } from '#server/schema/notifications.ts';
import { objectionSubjects } from '#server/schema/objections.ts';
import { apiTokens } from '#server/schema/tokens.ts';
import {
  emailChanges,
  knownBrowsers,
  oneTimeCodes,
  passkeys,
  passwordResetTokens,
  recoveryCodes,
  sessions,
  signInReports,
} from '#server/schema/users.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import { type IdentityProvider, startIdentityProvider } from '#server/testing/identity-provider.ts';
import { buildForm, FORM, importFile } from '#server/testing/import.ts';
import { ssoBrowser, ssoEnv } from '#server/testing/sso.ts';
import { readSetCookie, type TestApp, testApp } from '#server/testing/test-app.ts';
import { startReceiver, untilSent } from '#server/testing/webhooks/receiver.ts';

let t: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
  const env = { ...ssoEnv(provider), WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_PRIVATE: 'on' };
  t = await testApp({ ownDatabase: true, env });
});
afterAll(async () => {
  await t.close();
  await provider.stop();
});

const EMAILS = {
  admin: 'ada@secret-mail.test',
  sam: 'sam@secret-mail.test',
  moved: 'moved@secret-mail.test',
  own: 'own@secret-mail.test',
  invited: 'invited@secret-mail.test',
  unknown: 'unknown@secret-mail.test',
};
const PASSWORDS = [
  ...['Admin secret 1', 'First secret 1', 'Wrong secret 1', 'Set secret 1', 'Reset secret 1', 'Changed secret 1'],
] as const;
const [ADMIN_PASSWORD = '', FIRST_PASSWORD = '', WRONG_PASSWORD = ''] = PASSWORDS;
const [SET_PASSWORD = '', RESET_PASSWORD = '', CHANGED_PASSWORD = ''] = PASSWORDS.slice(3);
const TEXTS = [
  'hand-over note',
  'a note on the lead',
  'Connie Contact',
  'connie@secret-mail.test',
  'agent of the test',
  'Sam by Another Name',
  'the passkey of Sam',
];
const [HAND_OVER, NOTES, CONTACT, CONTACT_EMAIL, USER_AGENT, OWN_NAME = '', PASSKEY = ''] = TEXTS;

/** Everything that must not be in the log, collected while every event happens once. */
const secrets: string[] = [...Object.values(EMAILS), ...PASSWORDS, ...TEXTS];

async function signIn(username: string, password: string, code?: string, userAgent = USER_AGENT ?? '') {
  const headers = { 'user-agent': userAgent };
  const response = await t.request(null, login, { body: { username, password, code } }, { headers });
  const cookie = readSetCookie(response.headers);
  if (cookie) secrets.push(cookie.split('=')[1] ?? '');
  return { cookie };
}

/** The token of the last mail with a link to this page. */
async function readToken(page: string) {
  await t.app.outbox.wake();
  const folder = join(t.env.dataDir, 'outbox');
  for (const file of readdirSync(folder).toSorted().reverse()) {
    const { text = '' } = await PostalMime.parse(readFileSync(join(folder, file)));
    const token = new RegExp(`${page}\\?token=([\\w-]+)`).exec(text)?.[1];
    if (!token) continue;
    secrets.push(token);
    return token;
  }
  throw new Error(`no mail with a link to ${page}`);
}

async function turnCodesOnAndOff(own: { cookie: string }, username: string, password: string) {
  const { key } = (await t.request(own, codes.setUpCodes)).body;
  const secret = key.replaceAll(' ', '');
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await t.request(own, codes.confirmCodes, { body: { code, password } });
  const [first = '', second = ''] = confirmed.body.recoveryCodes;
  const renewed = await t.request(own, codes.renewRecoveryCodes, { body: { code: first, password } });
  const [third = '', fourth = ''] = renewed.body.recoveryCodes;
  await signIn(username, password, third);
  const [stored] = await t.db.select().from(oneTimeCodes);
  secrets.push(key, secret, stored?.secret ?? '', first, second, third, fourth);
  for (const recovery of await t.db.select().from(recoveryCodes)) secrets.push(recovery.code);
  expect((await t.request(own, codes.removeCodes, { body: { code: fourth, password } })).status).toBe(200);
}

async function addAndRemovePasskey(own: { cookie: string }, password: string) {
  const options = await t.request(own, passkeyCalls.startPasskey, { body: { password } });
  const browser = { cookie: `${own.cookie}; ${readSetCookie(options.headers)}` };
  const body = { name: PASSKEY, passkey: createAuthenticator(t.env.appUrl).make(options.body) };
  const added = await t.request(browser, passkeyCalls.addPasskey, { body });
  for (const passkey of await t.db.select().from(passkeys)) secrets.push(passkey.credentialId, passkey.publicKey);
  await t.request(own, passkeyCalls.removePasskey, { params: { id: added.body.passkeys[0]?.id ?? '' } });
}

async function signInByProvider(email: string) {
  const browser = ssoBrowser(t, provider);
  const { location, cookie } = await browser.start();
  const who = { sub: 'the subject of Sam', sid: 'the session of Sam' };
  const query = provider.authorize(location, { ...who, email, email_verified: true });
  const session = await browser.finish(query, cookie);
  expect(session.location).toBe('/');
  const token = await provider.logoutToken(who);
  const sent = [...new URL(location).searchParams.values(), ...new URLSearchParams(query).values()];
  secrets.push(...Object.values(who), provider.client.secret, token, session.cookie.split('=')[1] ?? '');
  secrets.push(...sent.filter((value) => value.length > 20 && !value.startsWith('http')));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams({ logout_token: token }).toString();
  await t.inject({ method: 'POST', url: endSsoSessions.path, headers, payload });
}

/** All pages of the screen. */
async function listEvents(admin: { cookie: string }) {
  const items: ResponseBody<typeof listAuditEvents>['items'] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const { body } = await t.request(admin, listAuditEvents, { query: before === undefined ? {} : { before } });
    items.push(...body.items);
    before = body.next;
  }
  return items;
}

/** What a user does with their own account. */
async function useAccount(username: string, password: string) {
  const first = await signIn(username, password);
  const body = { password, newPassword: CHANGED_PASSWORD };
  const changed = await t.request(first, account.changePassword, { body });
  const own = { cookie: readSetCookie(changed.headers) };
  secrets.push(own.cookie.split('=')[1] ?? '');
  await t.request(own, account.changeName, { body: { fullName: OWN_NAME } });
  await t.request(own, account.changeEmail, { body: { email: EMAILS.own, password: CHANGED_PASSWORD } });
  const token = await readToken('confirm-email');
  for (const change of await t.db.select().from(emailChanges)) secrets.push(change.token ?? '');
  await t.request(null, account.confirmEmail, { body: { token } });
  await t.request(own, account.endOtherSessions);
  await t.request(own, account.exportAccount);
  await signIn(username, CHANGED_PASSWORD, undefined, 'Firefox/150.0 on Windows');
  await turnCodesOnAndOff(own, username, CHANGED_PASSWORD);
  await addAndRemovePasskey(own, CHANGED_PASSWORD);
  const reportToken = await readToken('report-sign-in');
  for (const report of await t.db.select().from(signInReports)) secrets.push(report.token);
  for (const { browser } of await t.db.select().from(knownBrowsers)) secrets.push(browser);
  await t.request(null, reportSignIn, { body: { token: reportToken } });
}

async function useWebhook(admin: { cookie: string }) {
  const receiver = await startReceiver();
  const path = 'a path that only the receiver knows'.replaceAll(' ', '-');
  const body = { url: `${receiver.url}/${path}`, events: ['user.created' as const] };
  const made = (await t.request(admin, webhookCalls.createWebhook, { body })).body;
  const params = { webhookId: made.webhook.id };
  const changed = (await t.request(admin, webhookCalls.changeWebhookKey, { params })).body;
  secrets.push(path, made.key, changed.key);
  await t.request(admin, webhookCalls.changeWebhook, { params, body: { ...body, on: true } });
  await t.request(admin, webhookCalls.sendAgain, { params, body: { ids: [1] } });
  receiver.replyWith({ status: 410 });
  await t.request(admin, webhookCalls.testWebhook, { params });
  const findWebhook = async () => (await t.request(admin, webhookCalls.listWebhooks)).body[0];
  await untilSent(t, async () => (await findWebhook())?.offReason).toBe('gone');
  await t.request(admin, webhookCalls.deleteWebhook, { params });
  receiver.close();
}

async function recordObjections(admin: { cookie: string }) {
  const [number, words] = ['020 7946 0958', 'What a person said'];
  secrets.push(number, '+442079460958', words);
  const added = await t.request(admin, objectionCalls.addObjection, {
    body: { on: 'number', value: number, channel: 'call', words },
  });
  const csv = buildForm(`Number,Words\n${number},${words}\n`);
  const headers = { 'content-type': FORM, cookie: admin.cookie };
  await t.inject({ method: 'POST', url: objectionCalls.importObjections.path, headers, payload: csv });
  await t.request(admin, objectionCalls.exportObjections);
  const lifted = { params: { objectionId: added.body.id }, body: { reason: words } };
  await t.request(admin, objectionCalls.liftObjection, lifted);
  for (const { hash } of await t.db.select().from(objectionSubjects)) secrets.push(hash);
}

test('no event shows a password, token, session, e-mail or text, on the screen or in the file', async () => {
  const newAdmin = { username: 'ada', email: EMAILS.admin, fullName: 'Ada Admin', password: ADMIN_PASSWORD };
  const { id: adminId } = (await t.request(null, register, { body: newAdmin })).body;
  const admin = await signIn('ada', ADMIN_PASSWORD);

  const newUser = { username: 'sam', email: EMAILS.sam, fullName: 'Sam Seller', role: 'user' as const };
  const created = await t.request(admin, users.createUser, { body: { ...newUser, password: FIRST_PASSWORD } });
  const sam = { params: { id: created.body.id } };
  await signIn(EMAILS.unknown, WRONG_PASSWORD);
  for (let attempt = 0; attempt < 5; attempt += 1) await signIn(EMAILS.sam, WRONG_PASSWORD);
  const invited = { body: { email: EMAILS.invited, fullName: OWN_NAME } };
  const invitation = await t.request(admin, invitations.createInvitation, invited);
  await readToken('invitation');
  await t.request(admin, invitations.withdrawInvitation, { params: { id: invitation.body.id } });
  await t.request(admin, users.unlockUser, sam);
  await t.request(admin, users.setUserPassword, { ...sam, body: { newPassword: SET_PASSWORD } });
  await t.request(admin, users.changeUser, { ...sam, body: { ...newUser, email: EMAILS.moved, role: 'manager' } });
  await t.request(admin, users.setUserActive, { ...sam, body: { active: false } });
  await t.request(admin, users.setUserActive, { ...sam, body: { active: true } });

  await t.request(null, forgotPassword, { body: { email: EMAILS.moved } });
  const token = await readToken('reset-password');
  for (const stored of await t.db.select().from(passwordResetTokens)) secrets.push(stored.token);
  await t.request(null, resetPassword, { body: { token, password: RESET_PASSWORD } });

  const manager = await signIn('sam', RESET_PASSWORD);
  const made = (await t.request(manager, createToken, { body: { name: 'n8n' } })).body;
  secrets.push(made.secret);
  for (const stored of await t.db.select().from(apiTokens)) secrets.push(stored.hash);
  await t.request(manager, endToken, { params: { tokenId: made.token.id } });
  secrets.push((await t.request(manager, getDeviceKey, { body: {} })).body.key);
  const { url } = (await t.request(manager, createCalendarFeed)).body;
  secrets.push(url.split('/').at(-1)?.replace('.ics', '') ?? '');
  for (const feed of await t.db.select().from(calendarFeeds)) secrets.push(feed.token);
  await t.request(manager, revokeCalendarFeed);
  await t.request(manager, changeReminderSettings, { body: { weeklyEmail: true } });
  const stop = { token: await createStopToken(t.db, sam.params.id) };
  secrets.push(stop.token);
  await t.request(null, stopWeeklyEmail, { query: stop });
  await t.request(manager, users.listUsers);
  for (const session of await t.db.select().from(sessions)) secrets.push(session.id);
  await t.request(manager, logout);
  await useAccount('sam', RESET_PASSWORD);
  const link = await resetAccount(t.db, 'sam', t.env.appUrl);
  secrets.push(link?.split('token=')[1] ?? '');
  await signInByProvider(EMAILS.own);
  await t.request(admin, disconnectSsoOfUser, sam);

  const csv = `Business Name,Contact Name,Email Address,User\nOld Mill,${CONTACT},${CONTACT_EMAIL},ada\n`;
  expect((await importFile(t, admin, csv)).body.importResults).toMatchObject({ successful: 1 });
  const { business } = await t.lead(await t.user(), { notes: NOTES ?? '' });
  const assigned = await t.request(admin, assignBusiness, { body: { userId: sam.params.id, businessId: business.id } });
  const lead = { params: { id: assigned.body.id } };
  await t.request(admin, reassignLead.byId, { ...lead, body: { newUserId: adminId, notes: HAND_OVER } });
  const assistant = (await t.request(admin, createToken, { body: { name: 'Assistant', rights: 'write' } })).body;
  const text = 'What a program proposes';
  secrets.push(assistant.secret, text);
  const change = { kind: 'activity' as const, lead: assigned.body.uuid, type: 'note' as const, text };
  const proposal = { body: { reason: text, changes: [change] } };
  const program = { authorization: `Bearer ${assistant.secret}` };
  const proposed = (await t.request(program, createProposal, proposal)).body;
  await t.request(admin, decideProposal, { params: { proposalId: proposed.id }, body: { accept: [] } });
  const { headers } = await t.request(admin, bulkArchive, { body: { ids: [lead.params.id] } });
  await t.request(admin, undoChanges, { params: { batchId: String(headers[BATCH_HEADER]) } });
  await t.request(admin, deleteLead.byId, lead);
  const { business: twin } = await t.lead(await t.user(), { notes: NOTES ?? '' });
  const twins = { businessIds: [business.id, twin.id] };
  await t.request(admin, dismissDuplicates, { body: twins });
  await t.request(admin, reopenDuplicates, { body: twins });
  await t.request(admin, mergeBusinesses, { body: { ...twins, keptId: business.id } });
  await t.request(admin, exportLeads);
  await t.request(admin, exportChanges);
  await t.request(admin, exportReport);
  const selected = { format: 'csv' as const, placeIds: [business.placeId], businessType: 'Bakery', location: 'Leeds' };
  await t.request(admin, exportBusinesses, { body: { ...selected, page: 1 } as never });
  await t.request(admin, changeTerritories, { body: { changes: [{ userId: adminId, add: ['LS1'] }] } });
  await t.request(admin, startSweep, { body: { businessType: 'Bakery', places: ['LS1'] } });
  await t.request(admin, changeTeamSettings, { body: { outcomes: null } });
  const fieldName = 'Name of a secret field';
  secrets.push(fieldName);
  await t.request(admin, createOwnField, { body: { name: fieldName, type: 'text' } });
  await useWebhook(admin);
  await recordObjections(admin);
  await t.request(admin, startBackup);
  const backup = { id: randomUUID(), file: 'team.backup', finishedAt: '2026-11-18T02:31:00Z' };
  await t.db.insert(backups).values({ ...backup, kind: 'nightly' });
  mkdirSync(t.env.backupDir, { recursive: true });
  writeFileSync(join(t.env.backupDir, backup.file), 'the rows');
  const asked = { params: { backupId: backup.id }, body: { password: ADMIN_PASSWORD } };
  expect((await t.request(admin, downloadBackup, asked)).body).toBe('the rows');
  await t.request(admin, users.deleteUser, sam);
  await t.request(admin, exportAuditEvents);

  // A refusal is audited after its response.
  await expect
    .poll(async () => new Set((await listEvents(admin)).map(({ event }) => event)))
    .toEqual(new Set<string>(auditEvent.options));
  const events = await listEvents(admin);
  const file = (await t.request(admin, exportAuditEvents)).body;
  expect(file.split('\r\n').length).toBeGreaterThan(events.length);

  expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
  for (const shown of [JSON.stringify(events), file]) {
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  }
});
