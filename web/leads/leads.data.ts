import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import type { ActivityType, CustomFields, Lead, LeadProfile, LeadStatus } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { send } from '#web/kit/api.ts';
import { type OptimisticUpdate, optimisticKey } from '#web/kit/optimistic.ts';
import type { ToastMessages } from '#web/kit/queries.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { leadQuery, outdateLeads, putBusiness, putLead, refreshLeads, sendTo } from './lead-reads.data.ts';

type Profile = LeadProfile;
type Guess<V> = (profile: Profile, variables: V) => Profile;

/**
 * A change of one lead, of which the server answers what has become of it. With a guess the screen shows the outcome
 * while the change is under way.
 */
function useChange<V = void>(
  name: LeadRef,
  change: (variables: V) => Promise<Lead>,
  meta: ToastMessages,
  guess?: Guess<V>,
) {
  const queries = useQueryClient();
  const { queryKey } = leadQuery(name);
  return useMutation({
    mutationKey: optimisticKey(queryKey),
    mutationFn: change,
    onMutate: (variables): OptimisticUpdate<Profile> | undefined => {
      if (!guess) return undefined;
      // What was read before the change must not overwrite its answer.
      void queries.cancelQueries({ queryKey });
      return (profile) => guess(profile, variables);
    },
    onSuccess: (lead, variables) => {
      // What was expected has come true; the answer has no activities, and wins in all that it has.
      if (guess) queries.setQueryData(queryKey, (profile) => profile && guess(profile, variables));
      putLead(queries, lead);
      // The answer is all that this screen shows; others read it again when they are opened.
      void outdateLeads(queries);
    },
    // It may have been refused because the lead is no longer what or whose it was.
    onError: () => void refreshLeads(queries),
    meta,
  });
}

const changed = (profile: Profile, lead: Partial<Profile['userBusiness']>): Profile => ({
  ...profile,
  userBusiness: { ...profile.userBusiness, ...lead },
});

/** Nobody asked for it by name, so nothing is said about it either. */
export const useOpenLead = (name: LeadRef) =>
  useChange(
    name,
    () => sendTo(calls.openLead, name),
    { errorTitle: null },
    (profile) => changed(profile, { viewed: true }),
  );

export const useChangeLeadStatus = (name: LeadRef) =>
  useChange(
    name,
    async (status: LeadStatus) => {
      const lead = await sendTo(calls.changeLeadStatus, name, { body: { status } });
      dispatchStatusChanged();
      return lead;
    },
    { success: 'Status updated', errorTitle: 'Status update failed' },
    (profile, status) => changed(profile, { status }),
  );

const changeFields = (name: LeadRef) => (customFields: CustomFields) =>
  sendTo(calls.changeCustomFields, name, { body: { customFields } });

export const useChangeEmail = (name: LeadRef) =>
  useChange(name, changeFields(name), { success: 'Email updated', errorTitle: 'Email update failed' });

export const useChangeContactPerson = (name: LeadRef) =>
  useChange(name, changeFields(name), {
    success: 'Contact person updated',
    errorTitle: 'Contact person update failed',
  });

export const useAddTag = (name: LeadRef) =>
  useChange(name, (tag: string) => sendTo(calls.addTag, name, { body: { tag } }), {
    success: 'Tag added',
    errorTitle: 'Failed to add tag',
  });

export const useRemoveTag = (name: LeadRef) =>
  useChange(
    name,
    (tag: string) => sendTo(calls.removeTag, name, { more: { tag } }),
    { success: 'Tag removed', errorTitle: 'Failed to remove tag' },
    (profile, tag) => changed(profile, { tags: profile.userBusiness.tags.filter((each) => each !== tag) }),
  );

export const useDeleteActivity = (name: LeadRef) =>
  useChange(
    name,
    (activityId: number) => send(calls.deleteActivity, { params: { activityId } }),
    { success: 'Activity deleted', errorTitle: 'Failed to delete activity' },
    (profile, activityId) =>
      changed(profile, {
        contactActivities: profile.userBusiness.contactActivities.filter(({ id }) => id !== activityId),
      }),
  );

export const useRestoreLead = (name: LeadRef) =>
  useChange(name, () => sendTo(calls.restoreLead, name), {
    success: 'Business restored',
    errorTitle: 'Restore failed',
  });

export const useMarkCustomer = (name: LeadRef) =>
  useChange(name, () => sendTo(calls.markExistingCustomer, name), {
    success: 'Marked as existing customer',
    errorTitle: 'Operation failed',
  });

export const useUnmarkCustomer = (name: LeadRef) =>
  useChange(name, () => sendTo(calls.unmarkExistingCustomer, name), {
    success: 'Existing customer mark removed',
    errorTitle: 'Operation failed',
  });

export function useAddActivity(name: LeadRef) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...body }: { type: ActivityType; notes: string; key: string }) =>
      sendTo(calls.addActivity, name, { body }, { idempotencyKey: key }),
    onSuccess: () => refreshLeads(queries),
    meta: { success: 'Activity added', errorTitle: 'Failed to add activity' },
  });
}

/** After these three the lead is no longer where it was, and nor is whoever did it. */
function useLeave<V = void>(leave: (variables: V) => Promise<unknown>, meta: ToastMessages) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: leave, onSuccess: () => outdateLeads(queries), meta });
}

export const useArchiveLead = (name: LeadRef) =>
  useLeave(() => sendTo(calls.archiveLead, name), { success: 'Business archived', errorTitle: 'Archive failed' });

export const useDeleteLead = (name: LeadRef) =>
  useLeave(() => sendTo(calls.deleteLead, name), { success: 'Business deleted', errorTitle: 'Deletion failed' });

export const useReassignLead = (name: LeadRef) =>
  useLeave(
    ({ key, ...body }: Body<typeof calls.reassignLead.byId> & { key: string }) =>
      sendTo(calls.reassignLead, name, { body }, { idempotencyKey: key }),
    { success: 'Business reassigned', errorTitle: 'Reassignment failed' },
  );

export function useChangePhone(businessId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (phone: string) => send(calls.changePhone, { params: { businessId }, body: { phone } }),
    onSuccess: (business) => {
      putBusiness(queries, business);
      void outdateLeads(queries);
    },
    meta: {
      success: 'Phone updated',
      errorTitle: 'Phone update failed',
      fallbackMessage: 'Failed to update phone number',
    },
  });
}

export function useChangeWebsite(businessId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (website: string) => send(calls.changeWebsite, { params: { businessId }, body: { website } }),
    onSuccess: (business) => {
      putBusiness(queries, business);
      void outdateLeads(queries);
    },
    meta: { success: 'Website updated', errorTitle: 'Website update failed' },
  });
}
