import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import type { Input } from '#contract/call.ts';
import { addLead, listLookAlikes, listUnassigned, takeLead } from '#contract/leads/adding/adding.calls.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { newIdempotencyKey, read, refetch, send } from '#web/kit/api.ts';
import { useDebounced } from '#web/kit/debounce.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { isKept } from '#web/kit/outbox/kept.ts';
import { sendOrKeep } from '#web/kit/outbox/send-or-keep.ts';
import { deleteDraft } from '#web/kit/storage/drafts.ts';
import { profilePath } from '#web/leads/lead-links.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { ADDING_DRAFT } from './adding-draft.ts';

const DEBOUNCE_MS = 300;
const MIN_NAME = 3;
const MIN_DIGITS = 7;

interface Typed {
  name: string;
  phone: string;
  postcode: string;
}

/** The businesses that what is typed may be. */
export function useLookAlikes({ name, phone, postcode }: Typed) {
  // As one text: a new object in each rendering would never settle.
  const settled = useDebounced(JSON.stringify({ name: name.trim(), phone, postcode }), DEBOUNCE_MS);
  const query: Typed = JSON.parse(settled);
  const enabled = query.name.length >= MIN_NAME || query.phone.replace(/\D/g, '').length >= MIN_DIGITS;
  const found = useQuery({
    ...read(listLookAlikes, { query }),
    staleTime: 0,
    enabled,
    placeholderData: keepPreviousData,
  });
  return enabled ? (found.data ?? []) : [];
}

/** The businesses of a district that are not assigned. */
export const useUnassigned = (district: string, type: string | undefined) =>
  useQuery({ ...read(listUnassigned, { query: { district, type } }), staleTime: 0 });

type NewLead = NonNullable<Input<typeof addLead>['body']>;

/** Adds the business that was typed. Its draft goes with it, even if the form was closed meanwhile. */
export function useAddLead(viewerId: number) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  return useMutation({
    mutationFn: async (body: NewLead) => {
      const added = await sendOrKeep(
        addLead,
        { body },
        { kind: 'business', title: `Added: ${body.name}`, lead: null, idempotencyKey: idempotencyKey.keyFor(body) },
      );
      idempotencyKey.reset();
      return added;
    },
    onSuccess: (added) => {
      deleteDraft(viewerId, ADDING_DRAFT);
      if (!isKept(added)) void refetchLeads(queries);
    },
    // A field that was asked for may have been archived or deleted meanwhile.
    onError: () => void refetch(queries, listOwnFields),
    meta: {
      success: 'Business added',
      undo: leaveOnUndo(queries),
      errorTitle: 'The business was not added',
    },
  });
}

/** Assigns a business without a lead to the viewer. */
export function useTakeLead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ businessId }: { businessId: number }) =>
      send(takeLead, { body: { businessId } }, { idempotencyKey: newIdempotencyKey() }),
    // After a failure, too: somebody else may have taken it.
    onSettled: () => {
      void refetchLeads(queries);
      void refetch(queries, searchBusinesses);
      void refetch(queries, listUnassigned);
    },
    meta: { success: 'It is your lead now', undo: leaveOnUndo(queries), errorTitle: 'It did not become your lead' },
  });
}

/** Undoing deletes the lead: its profile, if it is shown, is left for the screen that it was added on. */
function leaveOnUndo(queries: QueryClient) {
  const origin = window.location.pathname + window.location.search;
  return (lead: Lead) => {
    const undo = undoByToast(queries)(lead);
    if (!undo) return undefined;
    return () => {
      const profile = profilePath({ userBusiness: lead });
      if (window.location.pathname === profile) navigate(origin === profile ? '/today' : origin);
      undo();
    };
  };
}
