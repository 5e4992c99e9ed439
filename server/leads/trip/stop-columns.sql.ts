import { sql } from 'drizzle-orm';
import type { LeadStatus } from '#contract/leads/lead.ts';
import { isWrongPhone } from '#contract/leads/phone.ts';
import type { PlannedStop } from '#contract/leads/trip/trip.ts';

export const LEADS_AND_BUSINESSES = sql`user_businesses lead join businesses business on business.id = lead.business_id`;

/** What a stop shows of its lead, and what decides whether the lead can be one. */
export const PLACE_COLUMNS = sql`lead.id, lead.uuid, lead.status, lead.user_id as "holderId", lead.archived,
  lead.next_step_at as "nextStepAt", business.place_id as "placeId", business.name, business.formatted_address as address, business.phone,
  business.wrong_phone as "wrongPhone", business.latitude, business.longitude,
  business.position_approximate as "positionApproximate"`;

type Place = Omit<PlannedStop, 'reason' | 'objections'>;

export type PlaceRow = Record<string, unknown> &
  Omit<Place, 'phoneIsWrong' | 'status'> & {
    status: LeadStatus;
    wrongPhone: string | null;
    placeId: string;
    holderId: number;
    archived: boolean;
    nextStepAt: string | null;
  };

export interface StopLead extends Place {
  holderId: number;
  archived: boolean;
  nextStepAt: string | null;
}

export function toPlace(row: PlaceRow): StopLead {
  const { id, uuid, name, address, phone, wrongPhone, status, latitude, longitude, positionApproximate } = row;
  const { holderId, archived, nextStepAt } = row;
  return {
    ...{ id, uuid, name, address, phone, phoneIsWrong: isWrongPhone(phone, wrongPhone), status },
    ...{ latitude, longitude, positionApproximate, holderId, archived },
    nextStepAt: nextStepAt && new Date(nextStepAt).toISOString(),
  };
}
