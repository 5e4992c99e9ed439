import { Refusal } from '#contract/errors.ts';
import { type ActivityOutcome, isFreeOutcome } from '#contract/leads/log/outcomes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';

/** What the team says about an outcome. One that is no longer shown may still be on an open page. */
export async function requireOutcome(tx: Db, outcome: ActivityOutcome) {
  const { outcomes } = await readTeamSettings(tx);
  if (!isFreeOutcome(outcome, outcomes)) return outcomes[outcome];
  const message = 'Your team has no such outcome';
  throw new Refusal('validation_failed', message, { errors: [{ path: 'outcome', message }] });
}
