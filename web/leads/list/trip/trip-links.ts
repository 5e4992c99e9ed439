import type { Point } from '#contract/geo.ts';

// Both services document these links: developers.google.com/maps/documentation/urls and "Adopting unified Maps URLs" of
// Apple's MapKit. They hold positions only, no names.

/** Between start and destination: Google Maps drops more than these, in the browser of a phone and elsewhere. */
const GOOGLE_WAYPOINTS = { phone: 3, other: 9 };
/** A route in Apple Maps has at most 14 stops after its start. */
const APPLE_WAYPOINTS = 13;

export interface RoutePart {
  url: string;
  /** The numbers of its first and last stop; the way back to the start counts as the stop after the last one. */
  from: number;
  to: number;
}

export const googleMapsParts = (start: Point, stops: readonly Point[], device: keyof typeof GOOGLE_WAYPOINTS) =>
  splitTrip(start, stops, GOOGLE_WAYPOINTS[device]).map(({ points: [origin, ...targets], ...numbers }) => {
    const destination = targets.pop();
    const params = new URLSearchParams({ api: '1', origin: format(origin), destination: format(destination) });
    if (targets.length > 0) params.set('waypoints', targets.map(format).join('|'));
    params.set('travelmode', 'driving');
    return { ...numbers, url: `https://www.google.com/maps/dir/?${params}` };
  });

export const appleMapsParts = (start: Point, stops: readonly Point[]) =>
  splitTrip(start, stops, APPLE_WAYPOINTS).map(({ points: [source, ...targets], ...numbers }) => {
    const destination = targets.pop();
    const params = new URLSearchParams({ source: format(source) });
    for (const target of targets) params.append('waypoint', format(target));
    params.append('destination', format(destination));
    params.append('mode', 'driving');
    return { ...numbers, url: `https://maps.apple.com/directions?${params}` };
  });

/**
 * A round trip as consecutive routes: each starts where the one before ends. A route that is only the way back is left out:
 * it would be one more link for what needs none.
 */
function splitTrip(start: Point, stops: readonly Point[], maxWaypoints: number) {
  if (stops.length === 0) return [];
  const trip = [start, ...stops, start];
  const legsPerPart = maxWaypoints + 1;
  const parts: { points: Point[]; from: number; to: number }[] = [];
  for (let at = 0; at < trip.length - 1; at += legsPerPart) {
    const points = trip.slice(at, at + legsPerPart + 1);
    parts.push({ points, from: at + 1, to: at + points.length - 1 });
  }
  return parts.filter(({ from }) => from <= stops.length);
}

const format = (position: Point | undefined) =>
  position ? `${position.latitude.toFixed(5)},${position.longitude.toFixed(5)}` : '';
