import { z } from 'zod';
import { MAX_SWEEP_PLACES, newSweep } from '#contract/sweeps/sweep.ts';
import { useUrlCodec } from '#web/kit/url-state.ts';

/** The form as typed, which its URL holds. */
export interface SweepForm {
  businessType: string;
  keyword: string;
  /** Separated by commas. */
  places: string;
}

export type SweepFormErrors = Partial<Record<keyof SweepForm, string>>;

export const EMPTY_FORM: SweepForm = { businessType: '', keyword: '', places: '' };

const text = z.string().max(4_000).catch('');
const params = z.object({ type: text, keyword: text, area: text });

export function parseFormUrl(search: string): SweepForm {
  const { type, keyword, area } = params.parse(Object.fromEntries(new URLSearchParams(search)));
  return { businessType: type, keyword, places: area };
}

export function formatFormUrl({ businessType, keyword, places }: SweepForm): string {
  const used = {
    ...(businessType && { type: businessType }),
    ...(keyword && { keyword }),
    ...(places && { area: places }),
  };
  return new URLSearchParams(used).toString();
}

export function useSweepForm() {
  const [form, change] = useUrlCodec<SweepForm>({
    defaults: EMPTY_FORM,
    parse: parseFormUrl,
    format: formatFormUrl,
  });
  // Typing is no step that Back undoes letter by letter.
  return [form, (next: Partial<SweepForm>) => change((now) => ({ ...now, ...next }), { replace: true })] as const;
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
