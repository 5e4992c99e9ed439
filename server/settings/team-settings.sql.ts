import { eq, sql } from 'drizzle-orm';
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import {
  DEFAULT_TEAM_SETTINGS,
  teamSettings as shape,
  TEAM_SETTINGS,
  type TeamSetting,
  type TeamSettings,
} from '#contract/settings/team-settings.ts';
import type { Db } from '#server/kit/db/db.ts';
import { teamSettings } from '#server/schema/settings.ts';
import { users } from '#server/schema/users.ts';

/** The team's settings as they are now. */
export async function readTeamSettings(db: Db): Promise<TeamSettings> {
  const rows = await db.select({ name: teamSettings.name, value: teamSettings.value }).from(teamSettings);
  return toSettings(new Map(rows.map(({ name, value }) => [name, value])));
}

/** The team's settings, and who changed each last. */
export async function listTeamSettings(db: Db) {
  const rows = await db
    .select({
      name: teamSettings.name,
      value: teamSettings.value,
      at: teamSettings.changedAt,
      by: sql<string | null>`coalesce(nullif(${users.fullName}, ''), ${users.username})`,
    })
    .from(teamSettings)
    .leftJoin(users, eq(users.id, teamSettings.changedBy));
  const byName = new Map(rows.map((row) => [row.name, row]));
  const changes = TEAM_SETTINGS.map((name): [TeamSetting, SettingChange | null] => {
    const row = byName.get(name);
    return [name, row ? { at: row.at, by: row.by ?? DELETED_USER, reset: isEmpty(row.value) } : null];
  });
  return {
    settings: toSettings(new Map(rows.map(({ name, value }) => [name, value]))),
    changes: Object.fromEntries(changes) as Record<TeamSetting, SettingChange | null>,
  };
}

/** Of what another version stored, parts that this one does not know are left out, and those that are missing have their default. */
function toSettings(stored: ReadonlyMap<string, unknown>): TeamSettings {
  const entries = TEAM_SETTINGS.map((name) => {
    const merged = { ...DEFAULT_TEAM_SETTINGS[name], ...(stored.get(name) as object | undefined) };
    const known = Object.entries(merged).filter(([part]) => part in DEFAULT_TEAM_SETTINGS[name]);
    const parsed = shape.shape[name].safeParse(Object.fromEntries(known));
    return [name, parsed.success ? parsed.data : DEFAULT_TEAM_SETTINGS[name]];
  });
  return Object.fromEntries(entries) as TeamSettings;
}

export async function saveTeamSetting(db: Db, name: TeamSetting, value: object, changedBy: number, now: Date) {
  const row = { value, changedBy, changedAt: now.toISOString() };
  await db
    .insert(teamSettings)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: teamSettings.name, set: row });
}

/** Nothing differs from the default; the row says who decided that. */
export const resetTeamSetting = (db: Db, name: TeamSetting, changedBy: number, now: Date) =>
  saveTeamSetting(db, name, {}, changedBy, now);

const isEmpty = (value: unknown) => Object.keys(value as object).length === 0;
