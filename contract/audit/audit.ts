import { z } from 'zod';
import { moment } from '../fields.ts';

/** What is audited, in the order of the filter on the screen. */
export const auditEvent = z.enum([
  'sign_in',
  'sign_in_failed',
  'account_locked',
  'account_unlocked',
  'logout',
  'reset_asked',
  'reset_used',
  'password_changed',
  'name_changed',
  'email_change_requested',
  'email_confirmed',
  'session_ended',
  'new_browser',
  'sign_in_reported',
  'account_exported',
  'codes_set_up',
  'codes_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'account_reset',
  'sso_connected',
  'sso_disconnected',
  'sso_sessions_ended',
  'user_invited',
  'invitation_withdrawn',
  'user_created',
  'user_changed',
  'user_activated',
  'user_deactivated',
  'user_deleted',
  'password_set',
  'lead_assigned',
  'lead_reassigned',
  'lead_deleted',
  'bulk_action',
  'changes_undone',
  'businesses_merged',
  'duplicates_dismissed',
  'duplicates_reopened',
  'territory_changed',
  'import',
  'sweep_started',
  'businesses_exported',
  'leads_exported',
  'changes_exported',
  'report_exported',
  'audit_exported',
  'token_created',
  'token_ended',
  'webhook_created',
  'webhook_changed',
  'webhook_deleted',
  'webhook_key_changed',
  'webhook_tested',
  'webhook_sent_again',
  'webhook_switched_off',
  'proposal_made',
  'proposal_decided',
  'calendar_feed_created',
  'calendar_feed_revoked',
  'weekly_email_stopped',
  'backup_started',
  'backup_downloaded',
  'setting_changed',
  'objection_recorded',
  'objection_lifted',
  'objections_imported',
  'objections_exported',
  'field_changed',
  'call_refused',
]);
export type AuditEvent = z.infer<typeof auditEvent>;

// Record, so that an event without a label does not compile.
export const AUDIT_EVENT_LABEL: Record<AuditEvent, string> = {
  sign_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  account_locked: 'Account locked',
  account_unlocked: 'Account unlocked',
  logout: 'Logged out',
  reset_asked: 'Password reset requested',
  reset_used: 'Password reset by link',
  password_changed: 'Password changed by its user',
  name_changed: 'Name changed by its user',
  email_change_requested: 'New e-mail address entered',
  email_confirmed: 'New e-mail address confirmed',
  session_ended: 'Session ended from another one',
  new_browser: 'Signed in with a new browser',
  sign_in_reported: 'Sign-in reported as by another person',
  account_exported: 'Stored data of an account exported',
  codes_set_up: 'One-time codes set up',
  codes_removed: 'One-time codes removed',
  recovery_codes_made: 'New recovery codes made',
  recovery_code_used: 'Recovery code used',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  account_reset: 'Account reset on the machine',
  sso_connected: 'Connected to single sign-on',
  sso_disconnected: 'Disconnected from single sign-on',
  sso_sessions_ended: 'Sessions ended by single sign-on',
  user_invited: 'User invited',
  invitation_withdrawn: 'Invitation withdrawn',
  user_created: 'User created',
  user_changed: 'User changed',
  user_activated: 'User activated',
  user_deactivated: 'User deactivated',
  user_deleted: 'User deleted',
  password_set: 'Password set by an administrator',
  lead_assigned: 'Lead assigned',
  lead_reassigned: 'Lead reassigned',
  lead_deleted: 'Lead deleted',
  bulk_action: 'Bulk action',
  changes_undone: 'Changes undone',
  businesses_merged: 'Businesses merged',
  duplicates_dismissed: 'Marked as not a duplicate',
  duplicates_reopened: 'Marked as a possible duplicate again',
  territory_changed: 'Territory changed',
  import: 'Import',
  sweep_started: 'Sweep started',
  businesses_exported: 'Search results exported',
  leads_exported: 'Leads exported',
  changes_exported: 'Changes exported',
  report_exported: 'Report exported',
  audit_exported: 'Audit log exported',
  token_created: 'Token for a program made',
  token_ended: 'Token for a program ended',
  webhook_created: 'Webhook made',
  webhook_changed: 'Webhook changed',
  webhook_deleted: 'Webhook deleted',
  webhook_key_changed: 'Key of a webhook changed',
  webhook_tested: 'Webhook tested',
  webhook_sent_again: 'Deliveries of a webhook sent again',
  webhook_switched_off: 'Webhook switched off by the product',
  proposal_made: 'Changes proposed by a program',
  proposal_decided: 'Proposal of a program decided',
  calendar_feed_created: 'Calendar address created',
  calendar_feed_revoked: 'Calendar address revoked',
  weekly_email_stopped: 'Monday e-mail stopped by its link',
  backup_started: 'Backup started',
  backup_downloaded: 'Backup downloaded',
  setting_changed: 'Team setting changed',
  objection_recorded: 'Objection to being contacted recorded',
  objection_lifted: 'Objection to being contacted lifted',
  objections_imported: 'Objections imported',
  objections_exported: 'Objections exported',
  field_changed: "Field of the team's own changed",
  call_refused: 'Request refused',
};

/** The label of a stored event. A newer version, which ran before a rollback, may have stored others. */
export const formatAuditEvent = (event: string) => AUDIT_EVENT_LABEL[event as AuditEvent] ?? event;

const auditOutcome = z.enum(['done', 'refused']);
export type AuditOutcome = z.infer<typeof auditOutcome>;

export const AUDIT_OUTCOME_LABEL: Record<AuditOutcome, string> = { done: 'Done', refused: 'Refused' };

const auditSubjectType = z.enum(['user', 'lead']);
export type AuditSubjectType = z.infer<typeof auditSubjectType>;

export const AUDIT_SUBJECT_LABEL: Record<AuditSubjectType, string> = { user: 'User', lead: 'Lead' };

/**
 * The only details that events have, in the order in which they are shown: ids, roles, counts and codes, and the name of
 * a deleted business. Never a secret, an e-mail, a name of a person or a text that a person wrote.
 */
export const auditDetail = z.enum([
  'name',
  'businessId',
  'uuid',
  'previousUserId',
  'newUserId',
  'role',
  'roleBefore',
  'roleAfter',
  'emailChanged',
  'verb',
  'kind',
  'takenBack',
  'deleted',
  'success',
  'successful',
  'created',
  'failed',
  'ended',
  'districtsAdded',
  'districtsRemoved',
  'count',
  'districts',
  'batchId',
  'backupId',
  'setting',
  'fieldId',
  'objectionId',
  'reset',
  'method',
  'route',
  'target',
  'code',
]);
type AuditDetail = z.infer<typeof auditDetail>;

const AUDIT_DETAIL_LABEL: Record<AuditDetail, string> = {
  name: 'Business',
  businessId: 'Business ID',
  uuid: 'Lead UUID',
  previousUserId: 'Previous holder',
  newUserId: 'New holder',
  role: 'Role',
  roleBefore: 'Role before',
  roleAfter: 'Role after',
  emailChanged: 'E-mail changed',
  verb: 'Action',
  kind: 'Kind',
  takenBack: 'Taken back',
  deleted: 'Deleted leads',
  success: 'Succeeded',
  successful: 'Imported',
  created: 'Created',
  failed: 'Failed',
  ended: 'Ended',
  districtsAdded: 'Districts added',
  districtsRemoved: 'Districts removed',
  count: 'Rows',
  districts: 'Districts',
  batchId: 'Batch',
  backupId: 'Backup',
  setting: 'Setting',
  fieldId: 'Field ID',
  objectionId: 'Objection',
  reset: 'Back to the default',
  method: 'Method',
  route: 'Route',
  target: 'Target',
  code: 'Code',
};

/** As events store it. */
export const auditDetailValue = z.union([z.string(), z.number(), z.boolean()]);
const auditDetails = z.partialRecord(auditDetail, auditDetailValue);
export type AuditDetails = z.infer<typeof auditDetails>;

/** The details whose value is the id of a user. */
export const USER_DETAILS: readonly AuditDetail[] = ['previousUserId', 'newUserId'];

/** The details of an event with their labels. */
export function listAuditDetails(details: AuditDetails): { detail: AuditDetail; label: string; text: string }[] {
  return auditDetail.options.flatMap((detail) => {
    const value = details[detail];
    return value === undefined ? [] : [{ detail, label: AUDIT_DETAIL_LABEL[detail], text: formatValue(detail, value) }];
  });
}

function formatValue(detail: AuditDetail, value: z.infer<typeof auditDetailValue>): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return USER_DETAILS.includes(detail) ? `user ${value}` : String(value);
}

export const auditRecord = z.strictObject({
  id: z.number(),
  at: moment,
  /** An `AuditEvent`, or one of a newer version. */
  event: z.string(),
  /** Null for an anonymous request. The username of a deleted account is DELETED_USER. */
  actor: z.strictObject({ id: z.number(), username: z.string(), fullName: z.string() }).nullable(),
  /** Its name is null once it is deleted. */
  subject: z.strictObject({ type: auditSubjectType, id: z.number(), name: z.string().nullable() }).nullable(),
  ip: z.string().nullable(),
  outcome: auditOutcome,
  details: auditDetails,
  /** The name of the program through which the actor did it. */
  program: z.string().optional(),
});
export type AuditRecord = z.infer<typeof auditRecord>;
