import type { QueryClient } from '@tanstack/react-query';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { type LeadPage, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { getToday } from '#contract/leads/today/today.calls.ts';
import type { EntryKind } from '#contract/outbox/entry.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { read } from '#web/kit/api.ts';
import { listEntries, useOutboxEntries } from '#web/kit/outbox/outbox.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import { applyEntries, type ShownLead } from './apply-entries.ts';

/** Shows leads as they will be once what waits is sent, for `select`. */
export function useWaitingChanges() {
  const { id: viewerId } = useViewer();
  const { outcomes: rules } = useTeamSettings();
  const entries = useOutboxEntries();
  return <T extends ShownLead>(item: T): T => applyEntries(item, entries, { rules, viewerId });
}

/** Whether some change of the lead is not on the server yet. */
export const useIsWaiting = (uuid: string) => useOutboxEntries().some(({ lead }) => lead?.uuid === uuid);

/** A lead, or a business whose lead is meant, or a follow-up. */
export type ItemRef = LeadRef | { businessId: number } | { followUpId: number };

interface LeadChange {
  kind: EntryKind;
  title: string;
  /** What the viewer sees before the change. */
  base?: (shown: ShownLead) => object;
}

/** What the outbox needs of a change of a lead, from what is on the screen. */
export function describeChange(queries: QueryClient, ref: ItemRef, { kind, title, base }: LeadChange) {
  const item = findItem(queries, ref);
  if (!item) return { kind, title, lead: 'uuid' in ref ? { uuid: ref.uuid, name: 'A lead' } : null };
  const rules = queries.getQueryData(read(getTeamSettings).queryKey)?.settings.outcomes ?? DEFAULT_OUTCOMES;
  const shown = applyEntries(item, listEntries(), { rules, viewerId: 0 });
  const lead = { uuid: item.userBusiness.uuid, name: item.business.name };
  return { kind, title, lead, ...(base && { base: base(shown) }) };
}

function findItem(queries: QueryClient, ref: ItemRef): ShownLead | undefined {
  const isMeant = ({ userBusiness: lead, followUp }: ShownLead) => {
    if ('uuid' in ref) return lead.uuid === ref.uuid;
    if ('id' in ref) return lead.id === ref.id;
    return 'businessId' in ref ? lead.businessId === ref.businessId : followUp?.id === ref.followUpId;
  };
  return listItems(queries).find(isMeant);
}

/** The leads of all profiles, of Today and of the lists that were read. */
function listItems(queries: QueryClient): ShownLead[] {
  const readAll = <T>(path: string) =>
    queries.getQueriesData<T>({ queryKey: [path] }).flatMap(([, data]) => (data === undefined ? [] : [data]));
  return [
    ...readAll<ShownLead>(getLead.byUuid.path),
    ...readAll<ShownLead>(getLead.byId.path),
    ...readAll<Record<string, { leads: ShownLead[] }>>(getToday.path).flatMap((sections) =>
      Object.values(sections).flatMap(({ leads }) => leads),
    ),
    ...readAll<LeadPage>(listLeads.path).flatMap(({ items }) => items),
  ];
}
