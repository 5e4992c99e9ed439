import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { BusinessResult } from '#contract/search/search.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { ApiError, isAborted, newIdempotencyKey, newUuid, refetch, send } from '#web/kit/api.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { findBatchId, undoBatchByToast } from '#web/leads/undo.data.ts';

export interface Refused {
  business: BusinessResult;
  reason: string;
}

interface Assignment {
  userId: number;
  /** Undefined where the user has left the list of users meanwhile. */
  userName: string | undefined;
  businesses: BusinessResult[];
}

interface Outcome {
  userName: string | undefined;
  assigned: number;
  already: number;
  /** The batch of the new leads; undefined where there are none, or they are in several after a retry. */
  batchId: string | undefined;
}

/** Some businesses could not be assigned; the others were. */
export class AssignError extends Error {
  override name = 'AssignError';
  constructor(readonly refused: Refused[]) {
    super(
      `Failed to assign ${refused.length} business(es): ${refused.map(({ business }) => business.name).join(', ')}`,
    );
  }
}

/** Assigns businesses to a user in sequence. */
export function useAssign() {
  const queries = useQueryClient();
  const viewer = useViewer();
  const [done, setDone] = useState(0);
  // A retry after a lost response reuses uuid and idempotency key, so that it creates no second lead.
  const attempts = useRef(new Map<string, { uuid: string; key: string; batch: string }>());

  async function assign(userId: number, business: BusinessResult, batch: string) {
    const id = `${userId} ${business.id}`;
    const attempt = attempts.current.get(id) ?? { uuid: newUuid(), key: newIdempotencyKey(), batch };
    attempts.current.set(id, attempt);
    const body = {
      userId,
      businessId: business.id,
      uuid: attempt.uuid,
      status: 'new' as const,
      viewed: false,
      archived: false,
      tags: [],
      createdBy: viewer.id,
      notes: '',
      customFields: {},
      batch: attempt.batch,
    };
    return findBatchId(await send(assignBusiness, { body }, { idempotencyKey: attempt.key }));
  }

  const assigning = useMutation({
    mutationFn: async ({ userId, userName, businesses }: Assignment): Promise<Outcome> => {
      const refused: Refused[] = [];
      const batchIds = new Set<string | undefined>();
      let already = 0;
      setDone(0);
      const batch = newUuid();
      for (const business of businesses) {
        try {
          batchIds.add(await assign(userId, business, batch));
        } catch (error) {
          if (isFinal(error)) throw error;
          if (isAlreadyAssigned(error)) already += 1;
          else refused.push({ business, reason: describeError(error) });
        }
        setDone((before) => before + 1);
      }
      if (refused.length > 0) throw new AssignError(refused);
      // The response to a repeated request names none.
      batchIds.delete(undefined);
      const [batchId, ...others] = batchIds;
      const oneBatch = others.length === 0 ? batchId : undefined;
      return { userName, assigned: businesses.length - already, already, batchId: oneBatch };
    },
    // After a failure, too: some may have been assigned.
    onSettled: () => {
      void refetchLeads(queries);
      void refetch(queries, searchBusinesses);
    },
    meta: { success: toSuccessToast, undo: ({ batchId }: Outcome) => undoBatchByToast(queries, batchId) },
  });

  return { assigning, done };
}

function toSuccessToast({ userName, assigned, already }: Outcome) {
  const success = `${assigned} business(es) assigned successfully${userName ? ` to ${userName}` : ''}`;
  if (already === 0) return { title: 'Success', description: success };
  if (assigned === 0)
    return {
      title: 'Partial Success',
      description: `All ${already} business(es) were already assigned to this user`,
    };
  return {
    title: 'Partial Success',
    description: `${success}, ${already} already assigned to this user`,
  };
}

/** The session ended or the requests were aborted: the remaining calls would fail the same way. */
const isFinal = (error: unknown) => isAborted(error) || (error instanceof ApiError && error.status === 401);

const isAlreadyAssigned = (error: unknown) =>
  error instanceof ApiError && (error.code === 'already_assigned' || /already assigned/i.test(error.reason));

function describeError(error: unknown): string {
  if (error instanceof ApiError) return error.hasMessage ? error.reason : 'Failed to assign business';
  return error instanceof Error ? error.message : 'Failed to assign business';
}
