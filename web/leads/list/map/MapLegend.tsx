import { LEAD_STATUS_LABEL, PIPELINE } from '#contract/leads/lead.ts';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import { STATUS_PIN } from './status-pins.ts';

/** What the colours and letters of the pins mean, of the statuses on the map. */
export function MapLegend({ points }: { points: LeadPoint[] }) {
  const shown = new Set(points.map(({ status }) => status));
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
      {PIPELINE.filter((status) => shown.has(status)).map((status) => (
        <li key={status} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="grid size-4 place-items-center rounded-full text-[0.625rem] font-bold text-on-pin"
            style={{ background: STATUS_PIN[status].colour }}
          >
            {STATUS_PIN[status].letter}
          </span>
          {LEAD_STATUS_LABEL[status]}
        </li>
      ))}
    </ul>
  );
}
