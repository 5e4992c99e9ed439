import { areaOf } from '#contract/districts/district.ts';
import { Refusal } from '#contract/errors.ts';
import type { TerritoryChange } from '#contract/territories/territory.ts';
import type { Viewer } from '#contract/users/user.ts';
import { auditAll } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { requireTarget } from '#server/leads/reassignment-target.ts';
import { publishUsers } from '#server/live/publish.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';
import { requireCurrentRole, requireUser } from '#server/users/account-rules.ts';
import * as sql from './territories.sql.ts';

/** Changes the territories of several users at once, and returns what has changed: its inverse undoes it. */
export async function changeTerritories(
  tx: Db,
  changes: TerritoryChange[],
  { viewer, ip }: { viewer: Viewer; ip: string },
): Promise<TerritoryChange[]> {
  await requireCurrentRole(tx, viewer);
  await sql.lockTerritories(tx);
  const changed: TerritoryChange[] = [];
  for (const { userId, add, remove } of changes) {
    // A territory can be taken from an inactive user, but not given to one.
    if (add.length) await requireTarget(tx, userId);
    else await requireUser(tx, userId);
    const removed = await sql.deleteDistricts(tx, userId, expand(remove));
    const added = await sql.insertDistricts(tx, userId, expand(add), viewer.id);
    if (added.length || removed.length) changed.push({ userId, add: added, remove: removed });
  }
  await auditAll(
    tx,
    changed.map(({ userId, add, remove }) => ({
      event: 'territory_changed',
      actorId: viewer.id,
      subject: { type: 'user', id: userId },
      ip,
      details: { districtsAdded: add.length, districtsRemoved: remove.length },
    })),
  );
  if (changed.length) await publishUsers(tx);
  return changed;
}

/** An area stands for all of its districts. */
function expand(codes: string[]): string[] {
  const districts = codes.flatMap((code) => {
    const found = BY_CODE.get(code);
    if (!found) throw new Refusal('validation_failed', `${code} is no postcode district`);
    return found;
  });
  return [...new Set(districts)];
}

const BY_CODE = new Map<string, string[]>();
for (const { code } of UK_DISTRICTS) {
  BY_CODE.set(code, [code]);
  BY_CODE.set(areaOf(code), [...(BY_CODE.get(areaOf(code)) ?? []), code]);
}
