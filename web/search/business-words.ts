import { METRES_PER_MILE } from '#contract/search/radius.ts';
import type { Tone } from '#web/kit/ui/Badge.tsx';

const STATUS_TONE: Record<string, Tone> = {
  OPERATIONAL: 'good',
  CLOSED_TEMPORARILY: 'warn',
  CLOSED_PERMANENTLY: 'danger',
};

/** "CLOSED TEMPORARILY", in orange. */
export const statusOf = (businessStatus: string | null): { label: string; tone: Tone } => ({
  label: businessStatus?.replaceAll('_', ' ') || 'UNKNOWN',
  tone: STATUS_TONE[businessStatus ?? ''] ?? 'neutral',
});

/** As many dollar signs as the level, which is none for the lowest. */
export const priceOf = (level: number | null) => (level === null ? 'N/A' : '$'.repeat(level));

export const distanceOf = (metres: number) => `${(metres / METRES_PER_MILE).toFixed(1)} miles away`;
