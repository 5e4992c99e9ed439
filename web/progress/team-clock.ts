import { useQueryClient } from '@tanstack/react-query';
import { getSettings } from '#contract/auth/auth.calls.ts';
import { type LocalDate, toLocalDate } from '#contract/progress/calendar.ts';
import { read } from '#web/kit/api.ts';

export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Today as far as it is known without asking: the team's, or else this browser's. */
export function useToday(): LocalDate {
  const settings = useQueryClient().getQueryData(read(getSettings).queryKey);
  return toLocalDate(settings?.timeZone ?? ownTimeZone(), new Date());
}
