import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#contract/auth/auth.calls.ts';
import { read } from '#web/kit/api.ts';

export const useSettings = () => useQuery(read(getSettings));
