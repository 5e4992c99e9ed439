import { vi } from 'vitest';
import type { PlannedStop, Trip, TripStop } from '#contract/leads/trip/trip.ts';
import { aLead } from './fixtures.ts';

export const LEEDS = { latitude: 53.8, longitude: -1.55 };

/** The stops lie one behind the other, 0.7 miles apart. */
export const aPlannedStop = (n: number, fields: Partial<PlannedStop> = {}): PlannedStop => ({
  id: n,
  uuid: aLead(n).uuid,
  name: `Shop ${n}`,
  address: `${n} High Street, Leeds LS1 4AP, UK`,
  phone: null,
  phoneIsWrong: false,
  objections: [],
  status: 'new',
  latitude: LEEDS.latitude + n / 100,
  longitude: LEEDS.longitude,
  positionApproximate: false,
  reason: { kind: 'near', miles: n * 0.69 },
  ...fields,
});

export const aTripStop = (n: number, fields: Partial<TripStop> = {}): TripStop => ({
  ...aPlannedStop(n),
  arrivedAt: null,
  done: false,
  ...fields,
});

export const TRIP_ID = '00000000-0000-4000-a000-000000000001';

export const aTrip = (stops: TripStop[]): Trip => ({
  id: TRIP_ID,
  startedAt: '2026-11-19T08:00:00.000Z',
  start: { ...LEEDS, name: 'LS1, Leeds' },
  stops,
});

interface Position {
  latitude: number;
  longitude: number;
}

/** The browser's answer to a request for its position; undefined where it has none to give. */
export function stubPosition(answer: Position | { code: number } | undefined) {
  vi.stubGlobal('isSecureContext', true);
  const getCurrentPosition = (
    onFound: (position: { coords: Position }) => void,
    onError: (error: { code: number }) => void,
  ) => {
    if (answer && 'code' in answer) onError(answer);
    else if (answer) onFound({ coords: answer });
  };
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: answer && { getCurrentPosition },
  });
}
