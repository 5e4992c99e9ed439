import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { BusinessResult } from '#contract/search/search.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { ApiError, isAborted, newIdempotencyKey, refetch, send } from '#web/kit/api.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { newUuid } from './new-uuid.ts';

export interface Refused {
  business: BusinessResult;
  reason: string;
}

interface Outcome {
  assigned: number;
  already: number;
}

/** Some could not be given to the user; the others were. */
export class AssignFailed extends Error {
  override name = 'AssignFailed';
  constructor(readonly refused: Refused[]) {
    super(
      `Failed to assign ${refused.length} business(es): ${refused.map(({ business }) => business.name).join(', ')}`,
    );
  }
}

/** Gives businesses to a user one after the other, and says what became of them all. */
export function useAssign() {
  const queries = useQueryClient();
  const viewer = useViewer();
  const [done, setDone] = useState(0);
  // Trying again after a lost answer is still the same action, and must not make a second lead.
  const actions = useRef(new Map<string, { uuid: string; key: string }>());

  async function assign(userId: number, business: BusinessResult) {
    const name = `${userId} ${business.id}`;
    const action = actions.current.get(name) ?? { uuid: newUuid(), key: newIdempotencyKey() };
    actions.current.set(name, action);
    const body = {
      userId,
      businessId: business.id,
      uuid: action.uuid,
      status: 'new' as const,
      viewed: false,
      archived: false,
      tags: [],
      createdBy: viewer.id,
      notes: '',
      customFields: {},
    };
    await send(assignBusiness, { body }, { idempotencyKey: action.key });
  }

  const assigning = useMutation({
    mutationFn: async ({ userId, businesses }: { userId: number; businesses: BusinessResult[] }): Promise<Outcome> => {
      const refused: Refused[] = [];
      let already = 0;
      setDone(0);
      for (const business of businesses) {
        try {
          await assign(userId, business);
        } catch (error) {
          if (endsAll(error)) throw error;
          if (isAlreadyAssigned(error)) already += 1;
          else refused.push({ business, reason: reasonOf(error) });
        }
        setDone((before) => before + 1);
      }
      if (refused.length > 0) throw new AssignFailed(refused);
      return { assigned: businesses.length - already, already };
    },
    // After a failure too: some may have been assigned by then.
    onSettled: () => {
      void refetchLeads(queries);
      void refetch(queries, searchBusinesses);
    },
    meta: { success: sayOutcome },
  });

  return { assigning, done };
}

function sayOutcome({ assigned, already }: Outcome) {
  if (already === 0) return { title: 'Success', description: `${assigned} business(es) assigned successfully` };
  if (assigned === 0)
    return {
      title: 'Partial Success',
      description: `All ${already} business(es) were already assigned to this user`,
    };
  return {
    title: 'Partial Success',
    description: `${assigned} business(es) assigned successfully, ${already} already assigned to this user`,
  };
}

/** The session is over, or nobody waits any more: what is left would only fail the same way. */
const endsAll = (error: unknown) => isAborted(error) || (error instanceof ApiError && error.status === 401);

const isAlreadyAssigned = (error: unknown) =>
  error instanceof ApiError && (error.code === 'already_assigned' || /already assigned/i.test(error.reason));

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.hasMessage ? error.reason : 'Failed to assign business';
  return error instanceof Error ? error.message : 'Failed to assign business';
}
