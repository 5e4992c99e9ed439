import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { LeadItem, LeadProfile } from '#contract/leads/lead.ts';
import { ApiError } from '#web/kit/api.ts';
import { leadQuery } from '#web/leads/leads.data.ts';
import { createQueue, storeQueue } from './work-queue.ts';

const FRESH_MS = 60_000;

/** Loads the profile of a lead before it is opened, and again when the lead changes. */
export const usePrefetchedProfile = (uuid: string | undefined) =>
  void useQuery({ ...leadQuery({ uuid: uuid ?? '' }), enabled: uuid !== undefined, staleTime: FRESH_MS });

/** A profile for the queue; undefined where the viewer may not see the lead any more. */
export async function readProfile(queries: QueryClient, uuid: string): Promise<LeadProfile | undefined> {
  try {
    return await queries.fetchQuery({ ...leadQuery({ uuid }), staleTime: FRESH_MS });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

interface Source {
  title: string;
  origin: string;
  load: () => Promise<LeadItem[]>;
}

/** Makes a queue of leads and opens the first. */
export function useStartWork(userId: number) {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: async ({ title, origin, load }: Source) => createQueue(title, origin, await load()),
    onSuccess: (queue) => {
      if (!queue) return;
      storeQueue(userId, queue);
      navigate(`/business/uuid/${queue.current}`);
    },
    meta: { errorTitle: 'The leads could not be loaded' },
  });
}
