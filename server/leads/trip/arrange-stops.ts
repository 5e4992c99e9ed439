import { Refusal } from '#contract/errors.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import { findReason, type Trip } from '#contract/leads/trip/trip.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { NOT_YOUR_LEAD } from '#server/leads/require-lead.ts';
import type { StopLead } from './stop-columns.sql.ts';
import * as sql from './trip.sql.ts';

interface Context {
  viewer: Viewer;
  endOfDay: Date;
}

/** Makes these leads the stops of a locked trip, in this order. Those that are stops already stay as they are. */
export async function arrangeStops(
  tx: Db,
  trip: Pick<Trip, 'id' | 'start' | 'stops'>,
  leadIds: number[],
  { viewer, endOfDay }: Context,
): Promise<void> {
  const shown = trip.stops.map(({ id }) => id);
  const left = await sql.listLeftStops(tx, trip.id, shown);
  const newIds = leadIds.filter((id) => !shown.includes(id));
  const leads = await sql.readStopLeads(tx, newIds);
  const added = newIds.flatMap((leadId) => {
    // The page that sends it has not read the trip since the lead has left it.
    if (left.includes(leadId)) return [];
    const lead = requireStopLead(leads.get(leadId), viewer);
    return [{ leadId, holderId: lead.holderId, reason: findReason(lead, trip.start, endOfDay) }];
  });
  const dropped = shown.filter((id) => !leadIds.includes(id));
  await sql.deleteStops(tx, trip.id, dropped);
  await sql.insertStops(tx, trip.id, added);
  await sql.setOrder(tx, trip.id, leadIds);
}

function requireStopLead(lead: (StopLead & { hasPosition: boolean }) | undefined, viewer: Viewer): StopLead {
  if (!lead) throw new Refusal('not_found', 'This business is no longer in the list');
  if (!canSeeLead(viewer, { userId: lead.holderId })) throw new Refusal('not_your_lead', NOT_YOUR_LEAD);
  if (lead.archived) throw new Refusal('invalid_request', `${lead.name} is archived, and cannot be a stop`);
  if (!lead.hasPosition) throw new Refusal('invalid_request', `${lead.name} has no position, and cannot be a stop`);
  return lead;
}
