import type { Pins } from './pins.ts';

/** What the colours and letters of the pins mean. */
export const MapLegend = ({ pins: { legend } }: { pins: Pins }) => (
  <ul aria-label="Legend" className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
    {legend.map(({ label, colour, letter }) => (
      <li key={label} className="flex items-center gap-1.5">
        <span
          aria-hidden="true"
          className="grid size-4 place-items-center rounded-full text-[0.625rem] font-bold text-on-pin"
          style={{ background: colour }}
        >
          {letter}
        </span>
        {label}
      </li>
    ))}
  </ul>
);
