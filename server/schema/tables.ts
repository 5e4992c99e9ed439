// The tables as Drizzle needs them, a file a group. The migrations create the database and also have the indexes, checks and
// cascades; schema.sql.test.ts compares both. Column names are snake_case in the database (see createDb).
import * as kitTables from '#server/kit/db/kit-tables.ts';
import * as audit from './audit.ts';
import * as backups from './backups.ts';
import * as changes from './changes.ts';
import * as coverage from './coverage.ts';
import * as duplicates from './duplicates.ts';
import * as externalIds from './external-ids.ts';
import * as imports from './imports.ts';
import * as jobs from './jobs.ts';
import * as leads from './leads.ts';
import * as notifications from './notifications.ts';
import * as objections from './objections.ts';
import * as ownFields from './own-fields.ts';
import * as places from './places.ts';
import * as proposals from './proposals.ts';
import * as settings from './settings.ts';
import * as sweeps from './sweeps.ts';
import * as system from './system.ts';
import * as territories from './territories.ts';
import * as tokens from './tokens.ts';
import * as trips from './trips.ts';
import * as users from './users.ts';
import * as views from './views.ts';
import * as webhooks from './webhooks.ts';

/** Every table of the product, by its name in TypeScript. */
export const TABLES = {
  ...kitTables,
  ...audit,
  ...backups,
  ...changes,
  ...coverage,
  ...duplicates,
  ...externalIds,
  ...imports,
  ...jobs,
  ...leads,
  ...notifications,
  ...objections,
  ...ownFields,
  ...places,
  ...proposals,
  ...settings,
  ...sweeps,
  ...system,
  ...territories,
  ...tokens,
  ...trips,
  ...users,
  ...views,
  ...webhooks,
};
