import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#contract/auth/auth.calls.ts';
import { read } from '#web/kit/api.ts';

export const useSettings = () => useQuery(read(getSettings));

/** The clock of this machine, should the team's not be known. */
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of the team's days. */
export const useTimeZone = () => useSettings().data?.timeZone ?? HERE;
