import { getFirstSteps } from '#contract/first-steps/first-steps.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { readFirstSteps } from './first-steps.sql.ts';

export function firstStepRoutes(app: App, { db, env, guard }: Pick<Deps, 'db' | 'env' | 'guard'>) {
  serve(app, guard, getFirstSteps, async () => {
    const { people, hasPlaces, searched, assigned } = await readFirstSteps(db);
    const { firstSteps } = await readTeamSettings(db);
    // Who searched the sample has decided to try it first.
    const places = env.places.provider !== 'local' || hasPlaces || searched;
    return { done: { places, people: people >= 3, search: searched, assign: assigned, today: firstSteps.today } };
  });
}
