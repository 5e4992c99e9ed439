import { useQuery } from '@tanstack/react-query';
import { listDistricts } from '#contract/districts/districts.calls.ts';
import { read } from '#web/kit/api.ts';

/** Every postcode district; they do not change while the page is open. */
export const useDistricts = () =>
  useQuery({ ...read(listDistricts), staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY });
