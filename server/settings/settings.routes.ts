import { DEFAULT_SECURITY, type SecurityRules } from '#contract/auth/security-rules.ts';
import { changeTeamSettings, getTeamSettings } from '#contract/settings/settings.calls.ts';
import { TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
import { audit } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishSettings } from '#server/live/publish.ts';
import { listTeamSettings, resetTeamSetting, saveTeamSetting } from './team-settings.sql.ts';

interface SettingsDeps extends Pick<Deps, 'db' | 'guard' | 'clock'> {
  /** What changes at once with the rules of signing in. */
  applySecurity: (tx: Db, rules: SecurityRules) => Promise<void>;
}

export function settingsRoutes(app: App, { db, guard, clock, applySecurity }: SettingsDeps) {
  serve(app, guard, getTeamSettings, () => listTeamSettings(db));

  serve(app, guard, changeTeamSettings, ({ viewer, body, ip, request }) =>
    db.transaction(async (tx) => {
      const changes = body();
      if (changes.security !== undefined) await guard.requireProof(request, tx);
      for (const name of TEAM_SETTINGS) {
        const value = changes[name];
        if (value === undefined) continue;
        if (value) await saveTeamSetting(tx, name, value, viewer.id, clock());
        else await resetTeamSetting(tx, name, viewer.id, clock());
        const details = { setting: name, reset: value === null };
        await audit(tx, { event: 'setting_changed', actorId: viewer.id, ip, details });
      }
      if (changes.security !== undefined) await applySecurity(tx, changes.security ?? DEFAULT_SECURITY);
      await publishSettings(tx);
      return listTeamSettings(tx);
    }),
  );
}
