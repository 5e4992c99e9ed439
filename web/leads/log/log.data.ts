import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Input, ResponseBody } from '#contract/call.ts';
import { ACTIVITY_TYPE_LABEL, type LeadItem } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import type { ActivityOutcome, OutcomeRules } from '#contract/leads/log/outcomes.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { isKept } from '#web/kit/outbox/kept.ts';
import { sendOrKeep } from '#web/kit/outbox/send-or-keep.ts';
import { deleteDraft, readDraft } from '#web/kit/storage/drafts.ts';
import { chooseForm, patchBusinessInCache, patchLeadInCache, refetchLeads } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { offerBrowserReminders } from '#web/reminders/browser-reminders.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';

export type Contact = NonNullable<Input<typeof logContact.byId>['body']>;
/** The lead that a contact is logged for. */
export type LoggedItem = Pick<LeadItem, 'business' | 'userBusiness'>;
export type Logged = ResponseBody<typeof logContact.byId>;

/** The key of the note that is typed for a contact. It begins with the uuid, like every draft of a lead. */
export const logDraftKey = (uuid: string) => `${uuid}.log`;

/** Where logging leads on to the next lead, whose toast comes soon. */
export const GOING_ON_MS = 4_000;

/** Logs a contact in one request; the toast offers to undo it. */
export function useLogContact(
  leadRef: LeadRef,
  { business, userBusiness: { uuid } }: LoggedItem,
  viewerId: number,
  durationMs?: number,
) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const { outcomes: rules } = useTeamSettings();
  return useMutation({
    mutationFn: async (contact: Contact) => {
      const key = idempotencyKey.keyFor(contact);
      const title = `Logged: ${formatOutcome(contact.outcome, rules)}`;
      const lead = { uuid, name: business.name };
      const logged = await sendOrKeep(
        chooseForm(logContact, leadRef) as typeof logContact.byId,
        { params: leadRef as { id: number }, body: contact },
        { kind: 'log', title, lead, idempotencyKey: key },
      );
      idempotencyKey.reset();
      return logged;
    },
    onSuccess: (logged, { note, outcome, objection }) => {
      const draftKey = logDraftKey(uuid);
      // Text typed while the mutation was pending stays a draft.
      if (readDraft(viewerId, draftKey)?.text.trim() === note) deleteDraft(viewerId, draftKey);
      if (isKept(logged)) return;
      const { userBusiness } = logged;
      dispatchStatusChanged();
      if (userBusiness.nextStepAt && userBusiness.userId === viewerId) offerBrowserReminders(viewerId);
      patchLeadInCache(queries, userBusiness);
      const since = new Date().toISOString();
      if (objection) {
        const stands = { channel: objection, on: 'business', since } as const;
        patchBusinessInCache(queries, { ...business, objections: [...business.objections, stands] });
      }
      if (outcome === 'wrong_number') patchBusinessInCache(queries, { ...business, phoneIsWrong: true });
      void refetchLeads(queries);
    },
    onError: () => void refetchLeads(queries),
    meta: {
      success: ({ activity: { outcome } }: Logged) => ({
        title: `Logged: ${formatOutcome(outcome, rules)}`,
        ...(durationMs && { durationMs }),
      }),
      undo: undoByToast(queries),
      errorTitle: 'Failed to log contact',
    },
  });
}

/** The label of a stored outcome; empty where there is none. A newer version, before a rollback, may have stored others. */
export const formatOutcome = (stored: string | null, rules: OutcomeRules): string =>
  rules[stored as ActivityOutcome]?.label ?? '';

/** The newest activity of a lead in one line: what was typed, or what came of it. */
export function useLatestActivity(latest: ListedLead['latestActivity']): string | undefined {
  const { outcomes } = useTeamSettings();
  if (!latest) return undefined;
  const text = latest.text || formatOutcome(latest.outcome, outcomes);
  return [ACTIVITY_TYPE_LABEL[latest.type], text].filter(Boolean).join(': ');
}
