import { ExternalLink } from 'lucide-react';
import type { Point } from '#contract/geo.ts';
import { useMediaQuery } from '#web/kit/style/media-query.ts';
import { OutsideButtonLink } from '#web/kit/ui/Button.tsx';
import { appleMapsParts, googleMapsParts, type RoutePart } from './trip-links.ts';

const PHONE_OR_TABLET = '(pointer: coarse)';

/** The trip as links to the maps apps. Nothing is sent to them until a link is opened. */
export function TripLinks({ start, stops }: { start: Point; stops: readonly Point[] }) {
  const device = useMediaQuery(PHONE_OR_TABLET) ? 'phone' : 'other';
  return (
    <div className="flex flex-col gap-3">
      <Parts app="Google Maps" parts={googleMapsParts(start, stops, device)} stopCount={stops.length} />
      <Parts app="Apple Maps" parts={appleMapsParts(start, stops)} stopCount={stops.length} />
    </div>
  );
}

/** One link, or several where a link of the app cannot hold the whole trip. */
function Parts({ app, parts, stopCount }: { app: string; parts: RoutePart[]; stopCount: number }) {
  const [first, ...others] = parts;
  if (!first) return null;
  if (others.length === 0) {
    return (
      <OutsideButtonLink href={first.url} variant="secondary">
        <ExternalLink aria-hidden="true" />
        Open in {app}
      </OutsideButtonLink>
    );
  }
  return (
    <section aria-label={`Open in ${app}`} className="flex flex-col gap-1">
      <h3 className="text-sm font-medium">Open in {app}</h3>
      <ul className="grid grid-cols-2 gap-2">
        {parts.map(({ url, from, to }, index) => (
          <li key={url}>
            <OutsideButtonLink href={url} variant="secondary" className="w-full flex-col gap-0! py-1">
              <span>
                Part {index + 1} of {parts.length}
              </span>
              <span className="text-xs font-normal text-muted">{formatStops(from, to, stopCount)}</span>
            </OutsideButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** "Stops 1 to 4", "Stop 25 and back" */
function formatStops(from: number, to: number, stopCount: number): string {
  const last = Math.min(to, stopCount);
  const stops = from === last ? `Stop ${from}` : `Stops ${from} to ${last}`;
  return to > stopCount ? `${stops} and back` : stops;
}
