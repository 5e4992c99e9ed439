import { territoryDistricts } from '#server/schema/territories.ts';
import type { TestApp } from './test-app.ts';

/** Three new users, two of them with districts that are the only territories. */
export async function createTerritories(t: TestApp) {
  const create = (fullName: string) => t.user('user', { fullName });
  const [grace, marcus, olivia] = [await create('Grace'), await create('Marcus'), await create('Olivia')];
  await t.db.delete(territoryDistricts);
  await t.db.insert(territoryDistricts).values([
    { userId: grace.id, district: 'LS1' },
    { userId: grace.id, district: 'WF1' },
    { userId: marcus.id, district: 'LS2' },
    { userId: marcus.id, district: 'WF1' },
  ]);
  return { grace, marcus, olivia };
}
