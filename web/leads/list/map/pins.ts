import { LEAD_STATUS_LABEL, type LeadStatus, PIPELINE } from '#contract/leads/lead.ts';
import type { LeadPoint } from '#contract/leads/lead-lists.calls.ts';
import type { ListState } from '#web/leads/list/list-state.ts';

interface Pin {
  label: string;
  colour: string;
  /** In the pin, for those who cannot tell the colours apart. */
  letter: string;
}

/** What the pins of a map show of a lead. */
type Marked = Pick<LeadPoint, 'status' | 'type'>;

export interface Pins {
  /** Those on the map. */
  legend: Pin[];
  toPin: (marked: Marked) => Pin;
}

const STATUS_PIN: Record<LeadStatus, Omit<Pin, 'label'>> = {
  new: { colour: 'var(--color-pin-new)', letter: 'N' },
  in_progress: { colour: 'var(--color-pin-progress)', letter: 'I' },
  recontact: { colour: 'var(--color-pin-recontact)', letter: 'R' },
  qualified: { colour: 'var(--color-pin-advanced)', letter: 'Q' },
  proposal: { colour: 'var(--color-pin-advanced)', letter: 'P' },
  negotiation: { colour: 'var(--color-pin-advanced)', letter: 'G' },
  closed_won: { colour: 'var(--color-pin-won)', letter: 'W' },
  closed_lost: { colour: 'var(--color-pin-lost)', letter: 'L' },
};

const toStatusPin = (status: LeadStatus): Pin => ({ label: LEAD_STATUS_LABEL[status], ...STATUS_PIN[status] });

/** The colours that tell types apart. Further types repeat them, with a letter of their own. */
const COLOURS = ['new', 'progress', 'recontact', 'advanced', 'won'].map((name) => `var(--color-pin-${name})`);
const NEUTRAL = 'var(--color-pin-lost)';
/** The most frequent types; a longer legend is not read. */
const MAX_LEGEND = 10;

const OTHER: Pin = { label: 'Other types', colour: NEUTRAL, letter: '+' };
const UNKNOWN: Pin = { label: 'Type not known', colour: NEUTRAL, letter: '?' };

export function buildPins(points: readonly Marked[], by: ListState['pins']): Pins {
  if (by === 'type') return buildTypePins(points);
  const shown = new Set(points.map(({ status }) => status));
  return {
    legend: PIPELINE.filter((status) => shown.has(status)).map(toStatusPin),
    toPin: ({ status }) => toStatusPin(status),
  };
}

function buildTypePins(points: readonly Marked[]): Pins {
  const counts = new Map<string, number>();
  for (const { type } of points) if (type !== null) counts.set(type, (counts.get(type) ?? 0) + 1);
  const types = [...counts]
    .sort(([a, many], [b, more]) => more - many || a.localeCompare(b, 'en'))
    .map(([type]) => type);
  const pins = new Map<string, Pin>();
  const taken = new Set<string>();
  for (const [nth, type] of types.slice(0, MAX_LEGEND).entries()) {
    const letter = chooseLetter(type, taken);
    taken.add(letter);
    pins.set(type, { label: type, colour: COLOURS[nth % COLOURS.length] ?? NEUTRAL, letter });
  }
  const toPin = ({ type }: Marked) => (type === null ? UNKNOWN : (pins.get(type) ?? OTHER));
  const hasUnknown = points.some(({ type }) => type === null);
  return {
    legend: [...pins.values(), ...(types.length > MAX_LEGEND ? [OTHER] : []), ...(hasUnknown ? [UNKNOWN] : [])],
    toPin,
  };
}

/** The first letter of the label that no more frequent type has, or a digit. */
const chooseLetter = (label: string, taken: ReadonlySet<string>): string =>
  [...label.toUpperCase().replace(/[^A-Z]/g, ''), ...'0123456789'].find((letter) => !taken.has(letter)) ?? '';
