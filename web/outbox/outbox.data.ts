import type { QueryClient } from '@tanstack/react-query';
import type { OutboxEntry } from '#contract/outbox/entry.ts';
import { toast } from '#web/kit/toasts.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';

/** After some entries were sent: the screens show what the server has. */
export const sentHandler = (queries: QueryClient) => (sent: OutboxEntry[]) => {
  void refetchLeads(queries);
  dispatchStatusChanged();
  const [first] = sent;
  if (!first) return;
  const description = [first.title, first.lead?.name].filter(Boolean).join(', ');
  const title = sent.length === 1 ? 'Sent what was waiting' : `Sent ${sent.length} changes that were waiting`;
  toast({ title, ...(sent.length === 1 && { description }) });
};
