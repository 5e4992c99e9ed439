import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AuditOutcome, AuditSubjectType } from '#contract/audit/audit.ts';
import type { ChangeField, ChangeKind, ChangeSource } from '#contract/changes/change.ts';
import type { DuplicateReason, DuplicateState } from '#contract/duplicates/duplicate.ts';
import type { FileColumn, ImportChoices, ImportPreview, ImportState } from '#contract/import/import-job.ts';
import type { ImportTarget } from '#contract/import/import-target.ts';
import type { BulkJobState, StoredBulkAction } from '#contract/leads/bulk-job.ts';
import type { ActivityType, LeadStatus } from '#contract/leads/lead.ts';
import type { NotificationType } from '#contract/notifications/notifications.calls.ts';
import type { SweepDistrictState, SweepState } from '#contract/sweeps/sweep.ts';
import type { Role } from '#contract/users/user.ts';
import type { ViewSettings } from '#contract/views/view.ts';

// The tables as Drizzle needs them. The migrations create the database and also have the indexes, checks and cascades;
// schema.sql.test.ts compares both. Column names are snake_case in the database (see createDb).

/** A moment is an ISO string in UTC from row to screen. */
const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
});
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const id = () => integer().primaryKey().generatedByDefaultAsIdentity();
const now = sql`now()`;
const textList = () => text().array().notNull().default(sql`'{}'`);

export const users = pgTable('users', {
  id: id(),
  username: text().notNull(),
  password: text().notNull(),
  email: text().notNull(),
  fullName: text().notNull(),
  role: text().$type<Role>().notNull().default('user'),
  monthlyGoal: integer().notNull().default(100),
  active: boolean().notNull().default(true),
  failedLoginAttempts: integer().notNull().default(0),
  lockedUntil: moment(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  morningEmail: boolean().notNull().default(true),
});

export const businesses = pgTable('businesses', {
  id: id(),
  placeId: text().notNull(),
  name: text().notNull(),
  formattedAddress: text(),
  vicinity: text(),
  town: text(),
  phone: text(),
  internationalPhone: text(),
  website: text(),
  /** The number that was found to be wrong; the phone is wrong while it equals this. */
  wrongPhone: text(),
  phoneTyped: boolean().notNull().default(false),
  websiteTyped: boolean().notNull().default(false),
  googleMapsUrl: text(),
  rating: real(),
  userRatingsTotal: integer(),
  priceLevel: integer(),
  businessStatus: text(),
  types: textList(),
  openNow: boolean(),
  latitude: doublePrecision(),
  longitude: doublePrecision(),
  /** Whether the position is that of the postcode's district. */
  positionApproximate: boolean().notNull().default(false),
  photoReferences: jsonb().$type<string[]>().notNull().default([]),
  icon: text(),
  ownerName: text(),
  imported: boolean().notNull().default(false),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  /** The business that this one was merged into. */
  mergedInto: integer(),
  district: text().generatedAlwaysAs(sql`postcode_district(formatted_address)`),
});

/** A lead: a business held by a user. The API calls it userBusiness, the database user_businesses. */
export const leads = pgTable('user_businesses', {
  id: id(),
  uuid: uuid().notNull().defaultRandom(),
  userId: integer().notNull(),
  businessId: integer().notNull(),
  status: text().$type<LeadStatus>().notNull().default('new'),
  viewed: boolean().notNull().default(false),
  archived: boolean().notNull().default(false),
  archivedAt: moment(),
  existingCustomer: boolean().notNull().default(false),
  existingCustomerAt: moment(),
  assignedAt: moment().notNull().default(now),
  lastContactedAt: moment(),
  nextStepAt: moment(),
  nextStepType: text().$type<ActivityType>(),
  creditedAt: moment(),
  notes: text().notNull().default(''),
  notesVersion: integer().notNull().default(0),
  tags: textList(),
  customFields: jsonb().$type<Record<string, string>>().notNull().default({}),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  /** Copies of the business's columns, kept equal by triggers: an index can only contain columns of its own table. */
  businessName: text().notNull().default(''),
  town: text(),
  district: text(),
  hasPhone: boolean().notNull().default(false),
  hasWebsite: boolean().notNull().default(false),
  hasEmail: boolean().notNull().generatedAlwaysAs(sql`coalesce(custom_fields ->> 'email', '') <> ''`),
  imported: boolean().notNull().generatedAlwaysAs(sql`tags @> array['Imported']`),
  searchName: text().notNull().generatedAlwaysAs(sql`search_text(business_name)`),
  searchTown: text().generatedAlwaysAs(sql`search_text(town)`),
  /** What the lead is found by, folded by triggers: three lines of words. */
  findText: text().notNull().default(''),
  noteWords: tsvector(),
});

/** Every tag that some lead has or had; a trigger adds new ones. */
/** What leads are found by after a typing error. Written by triggers. */
export const findWords = pgTable('find_words', { word: text().primaryKey() });

export const leadTags = pgTable('lead_tags', { name: text().primaryKey() });

export const leadNoteRevisions = pgTable('lead_note_revisions', {
  id: id(),
  userBusinessId: integer().notNull(),
  notes: text().notNull(),
  notesVersion: integer().notNull(),
  replacedBy: integer(),
  replacedAt: moment().notNull().default(now),
});

export const contactActivities = pgTable('contact_activities', {
  id: id(),
  userBusinessId: integer().notNull(),
  type: text().$type<ActivityType>().notNull(),
  description: text().notNull(),
  scheduledAt: moment(),
  completedAt: moment(),
  outcome: text(),
  createdBy: integer(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  /** When the holder was reminded of an open follow-up. */
  remindedAt: moment(),
});

export const contactCredits = pgTable('contact_credits', {
  leadId: integer().primaryKey(),
  userId: integer().notNull(),
  creditedAt: moment().notNull(),
  counted: boolean().notNull().default(true),
});

export const notifications = pgTable('notifications', {
  id: id(),
  userId: integer().notNull(),
  title: text().notNull(),
  message: text().notNull(),
  relatedBusinessId: integer(),
  relatedUserBusinessId: integer(),
  sourceUserId: integer(),
  read: boolean().notNull().default(false),
  type: text().$type<NotificationType>().notNull(),
  createdAt: moment().notNull().default(now),
  /** The leads of an action, where there are several or may be. */
  leadIds: integer().array(),
  batch: uuid(),
});

/** What one request changed. */
export const changeBatches = pgTable('change_batches', {
  id: uuid().primaryKey(),
  userId: integer(),
  at: moment().notNull().default(now),
  kind: text().$type<ChangeKind>().notNull(),
  source: text().$type<ChangeSource>().notNull(),
  count: integer().notNull().default(0),
  undoes: uuid(),
});

/** One change of a lead or of a business, with the value before and after: see ChangeValues. */
export const changes = pgTable('changes', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  batchId: uuid().notNull(),
  leadId: integer(),
  businessId: integer(),
  field: text().$type<ChangeField>().notNull(),
  item: text().notNull().default(''),
  before: jsonb(),
  after: jsonb(),
  /** The lead that it was recorded for, which was since merged into this one. */
  movedFrom: integer(),
});

export const imports = pgTable('imports', {
  id: uuid().primaryKey(),
  userId: integer(),
  fileName: text().notNull(),
  state: text().$type<ImportState>().notNull(),
  run: integer().notNull().default(0),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  startedAt: moment(),
  finishedAt: moment(),
  size: integer().notNull().default(0),
  complete: boolean().notNull().default(false),
  sheets: textList(),
  sheet: text(),
  headerRow: integer().notNull().default(1),
  columns: jsonb().$type<FileColumn[]>().notNull().default([]),
  remembered: boolean().notNull().default(false),
  preview: jsonb().$type<ImportPreview>(),
  /** How it was checked; null for the specified call. */
  choices: jsonb().$type<ImportChoices>(),
  /** As a spreadsheet counts. */
  lastRow: integer().notNull().default(0),
  readBytes: integer().notNull().default(0),
  readRows: integer().notNull().default(0),
  successful: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  created: integer().notNull().default(0),
  repeated: integer().notNull().default(0),
  cancelRequested: boolean().notNull().default(false),
  message: text(),
  batchId: uuid().notNull(),
});

export const importChunks = pgTable(
  'import_chunks',
  { importId: uuid().notNull(), start: integer().notNull(), bytes: bytes().notNull() },
  (table) => [primaryKey({ columns: [table.importId, table.start] })],
);

export const importRefusedRows = pgTable(
  'import_refused_rows',
  {
    importId: uuid().notNull(),
    row: integer().notNull(),
    reason: text().notNull(),
    cells: jsonb().$type<string[]>().notNull(),
    wrong: jsonb().$type<number[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
);

export const importMatches = pgTable(
  'import_matches',
  {
    importId: uuid().notNull(),
    row: integer().notNull(),
    /** The existing business that gets the row's lead. */
    businessId: integer(),
    /** The row adds no lead: the business stays with its holder, or with the row that it looks like. */
    leftOut: boolean().notNull().default(false),
    repeated: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
);

export const importAssignees = pgTable(
  'import_assignees',
  { importId: uuid().notNull(), row: integer().notNull(), userId: integer().notNull() },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
);

export const importMappings = pgTable('import_mappings', {
  headingsHash: text().primaryKey(),
  targets: jsonb().$type<ImportTarget[]>().notNull(),
  updatedAt: moment().notNull().default(now),
});

/** A search over many districts, as a job. */
export const sweeps = pgTable('sweeps', {
  id: uuid().primaryKey(),
  userId: integer(),
  businessType: text().notNull(),
  keyword: text(),
  places: text().array().notNull(),
  provider: text().$type<'google' | 'google-legacy' | 'osm' | 'local'>().notNull(),
  state: text().$type<SweepState>().notNull(),
  run: integer().notNull().default(0),
  stopRequested: text().$type<'pause' | 'cancel'>(),
  message: text(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  finishedAt: moment(),
});

export const sweepDistricts = pgTable(
  'sweep_districts',
  {
    sweepId: uuid().notNull(),
    district: text().notNull(),
    position: integer().notNull(),
    state: text().$type<SweepDistrictState>().notNull().default('waiting'),
    calls: integer().notNull().default(0),
    calledAt: moment(),
    found: integer().notNull().default(0),
    added: integer().notNull().default(0),
    more: boolean().notNull().default(false),
    error: text(),
  },
  (table) => [primaryKey({ columns: [table.sweepId, table.district] })],
);

export const sweepResults = pgTable(
  'sweep_results',
  {
    sweepId: uuid().notNull(),
    businessId: integer().notNull(),
    district: text().notNull(),
    leftOut: text().$type<'outside' | 'closed'>(),
    batchId: uuid(),
  },
  (table) => [primaryKey({ columns: [table.sweepId, table.businessId] })],
);

/** The responses to the calls of a district that is not done. */
export const sweepResponses = pgTable(
  'sweep_responses',
  {
    sweepId: uuid().notNull(),
    district: text().notNull(),
    request: text().notNull(),
    response: jsonb().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sweepId, table.district, table.request] })],
);

export const assignmentHistory = pgTable('assignment_history', {
  id: id(),
  userBusinessId: integer().notNull(),
  previousUserId: integer(),
  newUserId: integer(),
  changedBy: integer(),
  changedAt: moment().notNull().default(now),
  notes: text(),
  initial: boolean().notNull().default(false),
});

export const sessions = pgTable('sessions', {
  id: text().primaryKey(),
  userId: integer().notNull(),
  createdAt: moment().notNull().default(now),
  lastUsedAt: moment().notNull().default(now),
  expiresAt: moment().notNull(),
  ip: text(),
  userAgent: text(),
});

export const passwordResetTokens = pgTable('password_reset_tokens', {
  id: id(),
  userId: integer().notNull(),
  token: text().notNull(),
  expiresAt: moment().notNull(),
  used: boolean().notNull().default(false),
  createdAt: moment().notNull().default(now),
});

export const throttles = pgTable('throttles', {
  key: text().primaryKey(),
  count: integer().notNull().default(0),
  lockedUntil: moment(),
  expiresAt: moment().notNull(),
});

export const mailOutbox = pgTable('mail_outbox', {
  id: id(),
  kind: text().notNull(),
  userId: integer(),
  email: text(),
  data: jsonb().$type<Record<string, string>>().notNull().default({}),
  attempts: integer().notNull().default(0),
  nextAttemptAt: moment().notNull().default(now),
  expiresAt: moment().notNull(),
  createdAt: moment().notNull().default(now),
});

/** The days whose morning e-mails are in the outbox. */
export const morningEmails = pgTable('morning_emails', {
  day: date().primaryKey(),
  createdAt: moment().notNull().default(now),
});

/** The private calendar address of a user; only the hash of its token is stored. */
export const calendarFeeds = pgTable('calendar_feeds', {
  userId: integer().primaryKey(),
  token: text().notNull(),
  createdAt: moment().notNull().default(now),
});

export const savedViews = pgTable('saved_views', {
  id: uuid().primaryKey().defaultRandom(),
  ownerId: integer(),
  name: text().notNull(),
  shared: boolean().notNull().default(false),
  settings: jsonb().$type<ViewSettings>().notNull(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  deletedAt: moment(),
});

export const bulkJobs = pgTable('bulk_jobs', {
  id: uuid().primaryKey(),
  userId: integer().notNull(),
  ip: text().notNull(),
  action: jsonb().$type<StoredBulkAction>().notNull(),
  leadIds: integer().array().notNull(),
  state: text().$type<BulkJobState>().notNull().default('running'),
  done: integer().notNull().default(0),
  success: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  reasons: textList(),
  message: text(),
  tries: integer().notNull().default(0),
  retryAt: moment(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
});

export const viewPreferences = pgTable('view_preferences', {
  userId: integer().primaryKey(),
  pinned: textList(),
  defaultView: text(),
});

/** A postcode district of a user. */
export const territoryDistricts = pgTable(
  'territory_districts',
  { userId: integer().notNull(), district: text().notNull(), setBy: integer(), setAt: moment().notNull().default(now) },
  (table) => [primaryKey({ columns: [table.userId, table.district] })],
);

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: integer().notNull(),
    route: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    status: integer().notNull(),
    response: text().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull().default({}),
    createdAt: moment().notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.userId, table.route, table.key] })],
);

export const installationKeys = pgTable('installation_keys', {
  name: text().primaryKey(),
  value: text().notNull(),
  createdAt: moment().notNull().default(now),
});

export const auditEvents = pgTable('audit_events', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  at: moment().notNull().default(now),
  event: text().notNull(),
  actorId: integer(),
  subjectType: text().$type<AuditSubjectType>(),
  subjectId: integer(),
  ip: text(),
  outcome: text().$type<AuditOutcome>().notNull().default('done'),
  details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
});

export const places = pgTable('places', {
  id: id(),
  source: text().notNull(),
  sourceId: text().notNull(),
  name: text().notNull(),
  categories: textList(),
  address: text(),
  town: text(),
  postcode: text(),
  phone: text(),
  website: text(),
  email: text(),
  latitude: doublePrecision().notNull(),
  longitude: doublePrecision().notNull(),
  rating: real(),
  userRatingsTotal: integer(),
  priceLevel: integer(),
  businessStatus: text(),
  openingHours: text(),
  updatedAt: moment().notNull().default(now),
  district: text().generatedAlwaysAs(sql`postcode_district(postcode)`),
});

/** What a business is compared with others by: its normalized columns. */
export const businessMatchKeys = pgTable('business_match_keys', {
  businessId: integer().primaryKey(),
  name: text().notNull(),
  phone: text(),
  host: text(),
  postcode: text(),
  town: text(),
  nameKeys: text().array().notNull(),
  businessUpdatedAt: moment().notNull(),
});

/** When a business was last compared with all others; null after its keys changed. */
export const businessComparisons = pgTable('business_comparisons', {
  businessId: integer().primaryKey(),
  comparedAt: moment(),
});

/** How far the search for duplicates is: at most one row. */
export const duplicateScan = pgTable('duplicate_scan', {
  id: boolean().primaryKey().default(true),
  keysAt: moment().notNull(),
  keysId: integer().notNull(),
  completedAt: moment(),
});

export const duplicatePairs = pgTable('duplicate_pairs', {
  id: id(),
  businessId: integer().notNull(),
  otherId: integer().notNull(),
  score: real().notNull(),
  reasons: text().$type<DuplicateReason>().array().notNull(),
  state: text().$type<DuplicateState>().notNull().default('open'),
  decidedBy: integer(),
  decidedAt: moment(),
});

/** Each row that a merge changed, before and after. */
export const mergedRows = pgTable(
  'merged_rows',
  {
    batchId: uuid().notNull(),
    tableName: text().notNull(),
    rowId: bigint({ mode: 'number' }).notNull(),
    leadId: integer(),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.tableName, table.rowId] })],
);

/** Every category that some place has or had; a trigger adds new ones. */
export const placeCategories = pgTable('place_categories', { name: text().primaryKey() });

export const placesCache = pgTable('places_cache', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  expiresAt: moment().notNull(),
});

export const placesUsage = pgTable('places_usage', {
  month: text().primaryKey(),
  calls: integer().notNull().default(0),
});

export const placesRateLimits = pgTable('places_rate_limits', {
  service: text().primaryKey(),
  nextCallAt: moment().notNull(),
});

/** When a search last covered a district. */
export const districtSearches = pgTable(
  'district_searches',
  { district: text().notNull(), businessType: text().notNull(), searchedAt: moment().notNull() },
  (table) => [primaryKey({ columns: [table.district, table.businessType] })],
);

/** The figures of a district by business type and holder, as they were last counted. */
export const coverageFigures = pgTable(
  'coverage_figures',
  {
    businessType: text().notNull(),
    userId: integer().notNull(),
    district: text().notNull(),
    known: integer().notNull(),
    leads: integer().notNull(),
    contacted: integer().notNull(),
    won: integer().notNull(),
    customers: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.businessType, table.userId, table.district] })],
);

/** How far counting them is: at most one row. */
export const coverageRefresh = pgTable('coverage_refresh', {
  id: boolean().primaryKey().default(true),
  refreshedAt: moment(),
  tookMs: integer(),
  startedAt: moment(),
  steppedAt: moment(),
  nextStep: integer().notNull().default(0),
  requestedAt: moment(),
});
