import * as account from './account/account.calls.ts';
import * as codes from './account/codes.calls.ts';
import * as invitations from './account/invitations.calls.ts';
import * as passkeySignIn from './account/passkey-sign-in.calls.ts';
import * as passkeys from './account/passkeys.calls.ts';
import * as proof from './account/proof.calls.ts';
import * as audit from './audit/audit.calls.ts';
import * as auth from './auth/auth.calls.ts';
import * as deviceKey from './auth/device-key.calls.ts';
import * as passwordReset from './auth/password-reset.calls.ts';
import * as reportSignIn from './auth/report-sign-in.calls.ts';
import * as settings from './auth/settings.calls.ts';
import * as sso from './auth/sso.calls.ts';
import type { AnyCall } from './call.ts';
import * as changes from './changes/changes.calls.ts';
import * as objections from './contact-rules/objections.calls.ts';
import * as coverage from './coverage/coverage.calls.ts';
import * as districts from './districts/districts.calls.ts';
import * as duplicates from './duplicates/duplicates.calls.ts';
import * as find from './find/find.calls.ts';
import * as firstSteps from './first-steps/first-steps.calls.ts';
import * as imports from './import/import.calls.ts';
import * as importJobs from './import/import-jobs.calls.ts';
import * as upsert from './import/upsert.calls.ts';
import * as jobs from './jobs/jobs.calls.ts';
import * as adding from './leads/adding/adding.calls.ts';
import * as bulk from './leads/bulk/bulk.calls.ts';
import * as bulkJobs from './leads/bulk/bulk-jobs.calls.ts';
import * as comments from './leads/comments/comments.calls.ts';
import * as followUps from './leads/follow-ups/follow-ups.calls.ts';
import type { AnyLeadCall } from './leads/lead-call.ts';
import * as leadExport from './leads/lead-export.calls.ts';
import * as leadLists from './leads/lead-lists.calls.ts';
import * as leads from './leads/leads.calls.ts';
import * as log from './leads/log/log.calls.ts';
import * as leadObjections from './leads/objections/lead-objections.calls.ts';
import * as ownFields from './leads/own-fields/own-fields.calls.ts';
import * as pocket from './leads/pocket/pocket.calls.ts';
import * as timeline from './leads/timeline/timeline.calls.ts';
import * as today from './leads/today/today.calls.ts';
import * as trip from './leads/trip/trip.calls.ts';
import * as map from './map/map.calls.ts';
import * as notifications from './notifications/notifications.calls.ts';
import * as progress from './progress/progress.calls.ts';
import * as proposals from './proposals/proposals.calls.ts';
import * as push from './push/push.calls.ts';
import * as reminders from './reminders/reminders.calls.ts';
import * as activity from './reports/activity.calls.ts';
import * as contacts from './reports/contacts.calls.ts';
import * as pipeline from './reports/pipeline.calls.ts';
import * as reportFile from './reports/report-file.calls.ts';
import * as reports from './reports/reports.calls.ts';
import * as slipped from './reports/slipped.calls.ts';
import * as search from './search/search.calls.ts';
import * as teamSettings from './settings/settings.calls.ts';
import * as sweeps from './sweeps/sweeps.calls.ts';
import * as system from './system/system.calls.ts';
import * as territories from './territories/territories.calls.ts';
import * as tokens from './tokens/tokens.calls.ts';
import * as users from './users/users.calls.ts';
import * as views from './views/views.calls.ts';
import * as webhooks from './webhooks/webhooks.calls.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isCall = (value: unknown): value is AnyCall => isObject(value) && 'path' in value && 'access' in value;
const isPair = (value: unknown): value is AnyLeadCall => isObject(value) && 'byId' in value;

const exportedCalls = (module: object): AnyCall[] =>
  Object.values(module).flatMap((value) => (isPair(value) ? [value.byId, value.byUuid] : isCall(value) ? [value] : []));

/** All calls by feature, for the documentation and for tests that cover every call. */
export const CALLS: Record<string, AnyCall[]> = {
  Accounts: [
    auth,
    sso,
    passwordReset,
    reportSignIn,
    settings,
    deviceKey,
    account,
    codes,
    passkeys,
    passkeySignIn,
    proof,
  ].flatMap(exportedCalls),
  Users: [users, invitations].flatMap(exportedCalls),
  Programs: [...exportedCalls(tokens), ...exportedCalls(webhooks)],
  Proposals: exportedCalls(proposals),
  Leads: [...exportedCalls(leads), ...exportedCalls(adding)],
  Fields: exportedCalls(ownFields),
  'Follow-ups': exportedCalls(followUps),
  Log: exportedCalls(log),
  Objections: [...exportedCalls(objections), ...exportedCalls(leadObjections)],
  Comments: exportedCalls(comments),
  Timeline: exportedCalls(timeline),
  Lists: [leadLists, leadExport, bulk, bulkJobs, jobs].flatMap(exportedCalls),
  Trip: exportedCalls(trip),
  Map: exportedCalls(map),
  Views: exportedCalls(views),
  Find: exportedCalls(find),
  Changes: exportedCalls(changes),
  Duplicates: exportedCalls(duplicates),
  Districts: exportedCalls(districts),
  Coverage: exportedCalls(coverage),
  Import: [imports, importJobs, upsert].flatMap(exportedCalls),
  Search: exportedCalls(search),
  Sweeps: exportedCalls(sweeps),
  Territories: exportedCalls(territories),
  Today: exportedCalls(today),
  Pocket: exportedCalls(pocket),
  Progress: exportedCalls(progress),
  Reports: [reports, reportFile, slipped, pipeline, activity, contacts].flatMap(exportedCalls),
  Notifications: exportedCalls(notifications),
  Reminders: exportedCalls(reminders),
  'Notifications on devices': exportedCalls(push),
  Audit: exportedCalls(audit),
  System: exportedCalls(system),
  Settings: [...exportedCalls(teamSettings), ...exportedCalls(firstSteps)],
};
