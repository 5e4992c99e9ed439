import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import { DETAIL_FIELDS, type DetailKey } from '#contract/leads/fields/detail-fields.ts';
import type { ActivityType, Lead, LeadBusiness, LeadProfile, LeadStatus } from '#contract/leads/lead.ts';
import { ACTIVITY_TYPE_LABEL, LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canReassignLead } from '#contract/leads/lead-policy.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { send } from '#web/kit/api.ts';
import { type OptimisticUpdate, optimisticKey } from '#web/kit/optimistic.ts';
import { isKept } from '#web/kit/outbox/kept.ts';
import { sendOrKeep } from '#web/kit/outbox/send-or-keep.ts';
import type { ToastMessages } from '#web/kit/queries.ts';
import { DETAIL_VIEWS } from '#web/leads/lead-field-views.tsx';
import {
  invalidateLeads,
  leadQuery,
  patchBusinessInCache,
  patchLeadInCache,
  refetchLeads,
  sendLeadCall,
  sendLeadChange,
} from '#web/leads/leads.data.ts';
import { refetchTimeline } from '#web/leads/profile/history/timeline.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { describeChange } from '#web/leads/waiting/waiting.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';

interface LeadMutation<V> {
  mutationFn: (variables: V, queries: QueryClient) => Promise<Lead>;
  toasts: ToastMessages;
  /** With this the profile shows the expected outcome while the mutation is pending. */
  update?: (profile: LeadProfile, variables: V) => LeadProfile;
}

/** A change of one lead, to which the server responds with the changed lead. */
function useLeadMutation<V = void>(leadRef: LeadRef, { mutationFn, toasts, update }: LeadMutation<V>) {
  const queries = useQueryClient();
  const { queryKey } = leadQuery(leadRef);
  return useMutation({
    mutationKey: optimisticKey(queryKey),
    mutationFn: (variables: V) => mutationFn(variables, queries),
    onMutate: (variables): OptimisticUpdate<LeadProfile> | undefined => {
      if (!update) return undefined;
      // A response read before the change must not overwrite it.
      void queries.cancelQueries({ queryKey });
      return (profile) => update(profile, variables);
    },
    onSuccess: (lead, variables) => {
      if (isKept(lead)) return;
      // The response lacks the activities, which only the update changes.
      if (update) queries.setQueryData(queryKey, (profile) => profile && update(profile, variables));
      patchLeadInCache(queries, lead);
      void invalidateLeads(queries);
      void refetchTimeline(queries);
    },
    // It may have been refused because the lead was changed or reassigned meanwhile.
    onError: () => void refetchLeads(queries),
    meta: { ...toasts, undo: undoByToast(queries) },
  });
}

const withLead = (profile: LeadProfile, changes: Partial<LeadProfile['userBusiness']>): LeadProfile => ({
  ...profile,
  userBusiness: { ...profile.userBusiness, ...changes },
});

/** Marks the lead as viewed when its profile is opened. The user did not ask for it, so that there are no toasts. */
export const useOpenLead = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: () => sendLeadCall(calls.markViewedOnProfile, leadRef),
    toasts: { errorTitle: null },
    update: (profile) => withLead(profile, { viewed: true }),
  });

export const useChangeLeadStatus = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: async (status: LeadStatus, queries) => {
      const lead = await sendLeadChange(queries, calls.changeLeadStatus, leadRef, {
        body: { status },
        kind: 'status',
        title: `Status: ${LEAD_STATUS_LABEL[status]}`,
        base: ({ userBusiness: { status } }) => ({ before: status }),
      });
      dispatchStatusChanged();
      return lead;
    },
    toasts: { success: 'Status updated', errorTitle: 'Status update failed' },
    update: (profile, status) => withLead(profile, { status }),
  });

export const useChangeDetail = (leadRef: LeadRef, key: DetailKey) =>
  useLeadMutation(leadRef, {
    mutationFn: (text: string, queries) =>
      sendLeadChange(queries, calls.changeCustomFields, leadRef, {
        body: { customFields: { [key]: text } },
        kind: 'detail',
        title: `${DETAIL_FIELDS[key].label}: ${text || 'cleared'}`,
        base: ({ userBusiness: { customFields } }) => ({ before: { [key]: customFields[key] ?? '' } }),
      }),
    toasts: DETAIL_VIEWS[key].toasts,
  });

export const useChangeOwnValue = (leadRef: LeadRef, { id, name }: OwnField) =>
  useLeadMutation(leadRef, {
    mutationFn: ({ value, before }: { value: OwnValue | null; before: OwnValue | null }, queries) =>
      sendLeadChange(queries, calls.changeOwnValues, leadRef, {
        body: { values: { [id]: value }, before: { [id]: before } },
        kind: 'own-field',
        title: `${name} changed`,
      }),
    toasts: { success: `${name} updated`, errorTitle: `${name} update failed` },
  });

export const useAddTag = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: (tag: string, queries) =>
      sendLeadChange(queries, calls.addTag, leadRef, { body: { tag }, kind: 'tag', title: `Tag added: ${tag}` }),
    toasts: { success: 'Tag added', errorTitle: 'Failed to add tag' },
  });

export const useRemoveTag = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: (tag: string, queries) =>
      sendLeadChange(queries, calls.removeTag, leadRef, {
        params: { tag },
        kind: 'remove-tag',
        title: `Tag removed: ${tag}`,
      }),
    toasts: { success: 'Tag removed', errorTitle: 'Failed to remove tag' },
    update: (profile, tag) => withLead(profile, { tags: profile.userBusiness.tags.filter((other) => other !== tag) }),
  });

export const useDeleteActivity = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: (activityId: number) => send(calls.deleteActivity, { params: { activityId } }),
    toasts: { success: 'Activity deleted', errorTitle: 'Failed to delete activity' },
    update: (profile, activityId) =>
      withLead(profile, {
        contactActivities: profile.userBusiness.contactActivities.filter(({ id }) => id !== activityId),
      }),
  });

export const useRestoreLead = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: () => sendLeadCall(calls.restoreLead, leadRef),
    toasts: { success: 'Business restored', errorTitle: 'Restore failed' },
  });

interface DropOption {
  /** Whether the planned follow-up is dropped along with it. */
  dropFollowUp: boolean;
}

const toBody = ({ dropFollowUp }: DropOption) => (dropFollowUp ? { body: { dropFollowUp } } : {});

export const useMarkCustomer = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: (options: DropOption) => sendLeadCall(calls.markExistingCustomer, leadRef, toBody(options)),
    toasts: { success: 'Marked as existing customer', errorTitle: 'Operation failed' },
  });

export const useUnmarkCustomer = (leadRef: LeadRef) =>
  useLeadMutation(leadRef, {
    mutationFn: () => sendLeadCall(calls.unmarkExistingCustomer, leadRef),
    toasts: { success: 'Existing customer mark removed', errorTitle: 'Operation failed' },
  });

export function useAddActivity(leadRef: LeadRef) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...body }: { type: ActivityType; notes: string; key: string }) =>
      sendLeadChange(queries, calls.addActivity, leadRef, {
        ...{ body, idempotencyKey: key },
        ...{ kind: 'activity', title: `${ACTIVITY_TYPE_LABEL[body.type]} added` },
      }),
    onSuccess: (activity) => (isKept(activity) ? undefined : refetchLeads(queries)),
    meta: { success: 'Activity added', errorTitle: 'Failed to add activity', undo: undoByToast(queries) },
  });
}

/** A mutation after which the lead is gone from the viewer's list, and the profile is left. */
function useRemovingMutation<V = void>(mutationFn: (variables: V) => Promise<object>, toasts: ToastMessages) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => invalidateLeads(queries),
    meta: { undo: undoByToast(queries), ...toasts },
  });
}

export const useArchiveLead = (leadRef: LeadRef) =>
  useRemovingMutation((options: DropOption) => sendLeadCall(calls.archiveLead, leadRef, toBody(options)), {
    success: 'Business archived',
    errorTitle: 'Archive failed',
  });

export const useDeleteLead = (leadRef: LeadRef) =>
  useRemovingMutation(() => sendLeadCall(calls.deleteLead, leadRef), {
    success: 'Business deleted',
    errorTitle: 'Deletion failed',
  });

export function useReassignLead(leadRef: LeadRef) {
  const viewer = useViewer();
  const undo = undoByToast(useQueryClient());
  return useRemovingMutation(
    ({ key, ...body }: Body<typeof calls.reassignLead.byId> & { key: string }) =>
      sendLeadCall(calls.reassignLead, leadRef, { body }, { idempotencyKey: key }),
    {
      success: 'Business reassigned',
      errorTitle: 'Reassignment failed',
      undo: (lead: Lead) => (canReassignLead(viewer, lead) ? undo(lead) : undefined),
    },
  );
}

/** A change of the business itself, which all leads on it share. */
function useBusinessMutation<V = void>(
  mutationFn: (variables: V, queries: QueryClient) => Promise<LeadBusiness>,
  toasts: ToastMessages,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: V) => mutationFn(variables, queries),
    onSuccess: (business) => {
      if (isKept(business)) return;
      patchBusinessInCache(queries, business);
      void invalidateLeads(queries);
      void refetchTimeline(queries);
    },
    meta: { ...toasts, undo: undoByToast(queries) },
  });
}

export const useChangePhone = (businessId: number) =>
  useBusinessMutation(
    (phone: string, queries) =>
      sendOrKeep(
        calls.changePhone,
        { params: { businessId }, body: { phone } },
        describeChange(
          queries,
          { businessId },
          {
            ...{ kind: 'phone', title: `Phone: ${phone || 'cleared'}` },
            base: ({ business }) => ({ before: business.phone ?? '' }),
          },
        ),
      ),
    {
      success: 'Phone updated',
      errorTitle: 'Phone update failed',
      fallbackMessage: 'Failed to update phone number',
    },
  );

export const useChangeBusinessType = (businessId: number) =>
  useBusinessMutation(
    (type: string | null) => send(calls.changeBusinessType, { params: { businessId }, body: { type } }),
    { success: 'Type of business updated', errorTitle: 'Type update failed' },
  );

export const useConfirmPhone = (businessId: number) =>
  useBusinessMutation(
    (_variables, queries) =>
      sendOrKeep(
        calls.confirmPhone,
        { params: { businessId } },
        describeChange(queries, { businessId }, { kind: 'phone-right', title: 'Number is right' }),
      ),
    { success: 'Number marked as right', errorTitle: 'Phone update failed' },
  );

export const useChangeWebsite = (businessId: number) =>
  useBusinessMutation(
    (website: string, queries) =>
      sendOrKeep(
        calls.changeWebsite,
        { params: { businessId }, body: { website } },
        describeChange(
          queries,
          { businessId },
          {
            ...{ kind: 'website', title: `Website: ${website || 'cleared'}` },
            base: ({ business }) => ({ before: business.website ?? '' }),
          },
        ),
      ),
    { success: 'Website updated', errorTitle: 'Website update failed' },
  );
