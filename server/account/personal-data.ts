import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';

interface Section {
  table: string;
  /** The columns that refer to users. */
  by: string[];
  columns: string;
}

/** What is stored about a user, by the name that the file has for it. No secret, no hash of one, and no data of others. */
export const SECTIONS: Record<string, Section> = {
  sessions: {
    table: 'sessions',
    by: ['user_id'],
    columns: 'public_id as id, created_at, last_used_at, expires_at, ip, user_agent',
  },
  programs: {
    table: 'api_tokens',
    by: ['user_id'],
    columns: 'name, last_four, rights, own_leads, view_id, created_at, expires_at, last_used_at',
  },
  proposals: {
    table: 'proposals',
    by: ['user_id'],
    columns: 'program, reason, created_at, expires_at, decided_at',
  },
  devices: { table: 'device_keys', by: ['user_id'], columns: 'created_at, last_used_at, dropped_at' },
  browsers: { table: 'known_browsers', by: ['user_id'], columns: 'ip, description, first_used_at, last_used_at' },
  oneTimeCodes: { table: 'one_time_codes', by: ['user_id'], columns: 'confirmed_at' },
  passkeys: { table: 'passkeys', by: ['user_id'], columns: 'name, synced, created_at, last_used_at' },
  singleSignOn: { table: 'sso_identities', by: ['user_id'], columns: 'issuer, subject, created_at, last_used_at' },
  newEmail: { table: 'email_changes', by: ['user_id'], columns: 'email, expires_at' },
  notifications: { table: 'notifications', by: ['user_id'], columns: 'title, message, type, read, created_at' },
  ringingDevices: { table: 'push_subscriptions', by: ['user_id'], columns: 'endpoint, updated_at' },
  deviceNotifications: { table: 'push_settings', by: ['user_id'], columns: 'kinds, details, at_any_time' },
  calendarAddress: { table: 'calendar_feeds', by: ['user_id'], columns: 'created_at' },
  savedViews: {
    table: 'saved_views',
    by: ['owner_id'],
    columns: 'id, name, shared, settings, created_at, updated_at, deleted_at',
  },
  viewPreferences: { table: 'view_preferences', by: ['user_id'], columns: 'pinned, default_view' },
  territory: { table: 'territory_districts', by: ['user_id'], columns: 'district, set_at' },
  leads: {
    table: 'user_businesses',
    by: ['user_id'],
    columns: 'uuid, business_name, status, archived, assigned_at, last_contacted_at',
  },
  credits: { table: 'contact_credits', by: ['user_id'], columns: 'lead_id, credited_at, counted' },
  activities: {
    table: 'contact_activities',
    by: ['created_by'],
    columns: 'user_business_id as lead_id, type, description, scheduled_at, completed_at, outcome, created_at',
  },
  replacedNotes: {
    table: 'lead_note_revisions',
    by: ['replaced_by'],
    columns: 'user_business_id as lead_id, replaced_at',
  },
  comments: {
    table: 'lead_comments',
    by: ['created_by'],
    columns: 'user_business_id as lead_id, text, created_at',
  },
  assignments: {
    table: 'assignment_history',
    by: ['previous_user_id', 'new_user_id', 'changed_by'],
    columns: 'user_business_id as lead_id, previous_user_id, new_user_id, changed_by, changed_at',
  },
  changes: { table: 'change_batches', by: ['user_id'], columns: 'id, at, kind, source, count' },
  imports: { table: 'imports', by: ['user_id'], columns: 'id, file_name, state, created_at, successful, failed' },
  sweeps: { table: 'sweeps', by: ['user_id'], columns: 'id, business_type, keyword, places, state, created_at' },
  trip: {
    table: 'trips',
    by: ['user_id'],
    columns: `started_at, latitude, longitude, start_name, (
      select json_agg(json_build_object('lead_id', lead_id, 'arrived_at', arrived_at) order by position)
      from trip_stops where trip_id = trips.id) as stops`,
  },
  invitations: { table: 'invitations', by: ['invited_by'], columns: 'role, sent_at' },
  jobs: { table: 'jobs', by: ['user_id'], columns: 'id, kind, state, total, done, created_at' },
  settings: { table: 'team_settings', by: ['changed_by'], columns: 'name, changed_at' },
  objections: {
    table: 'objections',
    by: ['recorded_by', 'lifted_by'],
    columns: 'channel, since, source, recorded_by, recorded_at, lifted_by, lifted_at',
  },
  duplicateDecisions: { table: 'duplicate_pairs', by: ['decided_by'], columns: 'state, decided_at' },
};

/** Columns that refer to users, and tell nothing that the sections do not. */
export const NOT_EXPORTED = [
  'password_reset_tokens.user_id', // only hashes
  'sign_in_reports.user_id',
  'recovery_codes.user_id',
  'challenges.user_id', // of a few minutes
  'mail_outbox.user_id', // on its way to the user
  'idempotency_keys.user_id', // responses of 30 days, of which the user got each
  'notifications.source_user_id', // what other users were told
  'territory_districts.set_by',
];

const ACCOUNT =
  'id, username, email, full_name, role, monthly_goal, active, created_at, updated_at, morning_email, weekly_email, start_at, has_password, password_set_by_other';
/** The addresses of others who acted are theirs. */
const auditColumns = (userId: number) =>
  `at, event, actor_id, subject_type, subject_id, case when coalesce(actor_id, ${userId}) = ${userId} then ip end as ip, outcome, details`;

export async function readPersonalData(db: Db, userId: number): Promise<Record<string, unknown>> {
  const read = async (columns: string, table: string, condition: SQL) =>
    (await db.execute(sql`select ${sql.raw(columns)} from ${sql.identifier(table)} where ${condition}`)).rows;
  const [account] = await read(ACCOUNT, 'users', sql`id = ${userId}`);
  const data: Record<string, unknown> = { account };
  for (const [name, { table, by, columns }] of Object.entries(SECTIONS)) {
    const refersToUser = by.map((column) => sql`${sql.identifier(column)} = ${userId}`);
    data[name] = await read(columns, table, sql.join(refersToUser, sql` or `));
  }
  const isAboutUser = sql`actor_id = ${userId} or subject_type = 'user' and subject_id = ${userId}`;
  return { ...data, auditEvents: await read(auditColumns(userId), 'audit_events', isAboutUser) };
}
