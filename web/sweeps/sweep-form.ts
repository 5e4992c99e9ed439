import { useMemo } from 'react';
import { z } from 'zod';
import { MAX_SWEEP_PLACES, newSweep } from '#contract/sweeps/sweep.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';

/** The form as typed, which its URL holds. */
export interface SweepForm {
  businessType: string;
  keyword: string;
  /** Separated by commas. */
  places: string;
}

export type SweepFormErrors = Partial<Record<keyof SweepForm, string>>;

const text = z.string().max(4_000).catch('');
/** The parameters of the URL: those of a search, and the area. */
export const sweepFormParams = z.object({ type: text, keyword: text, area: text });
export const NO_PARAMS = { type: '', keyword: '', area: '' };

export const toForm = ({ type, keyword, area }: typeof NO_PARAMS): SweepForm => ({
  businessType: type,
  keyword,
  places: area,
});

export const toParams = ({ businessType, keyword, places }: SweepForm): typeof NO_PARAMS => ({
  type: businessType,
  keyword,
  area: places,
});

export function useSweepForm() {
  const [params, change] = useUrlState(sweepFormParams, NO_PARAMS);
  const form = useMemo(() => toForm(params), [params]);
  // Typing is no step that Back undoes letter by letter.
  const changeForm = (next: Partial<SweepForm>) =>
    change((now) => toParams({ ...toForm(now), ...next }), { replace: true });
  return [form, changeForm] as const;
}

/** "WF, LS1" is two places. */
export const splitPlaces = (text: string) =>
  text
    .split(/[,;\n]/)
    .map((place) => place.trim())
    .filter(Boolean)
    .slice(0, MAX_SWEEP_PLACES);

export const addPlace = (text: string, place: string) => [...new Set([...splitPlaces(text), place])].join(', ');

/** What the form sends, or its validation errors. */
export function parseSweepForm({ businessType, keyword, places }: SweepForm) {
  const parsed = newSweep.safeParse({ businessType, keyword: keyword.trim() || null, places: splitPlaces(places) });
  if (parsed.success) return { sweep: parsed.data };
  const errors: SweepFormErrors = {};
  for (const { path, message } of parsed.error.issues) errors[path[0] as keyof SweepForm] ??= message;
  return { errors };
}
