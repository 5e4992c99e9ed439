import { useEffect, useState } from 'react';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useSettings, useTimeZone } from '#web/auth/settings.data.ts';
import { ApiError } from '#web/kit/api.ts';
import { unlockDrafts } from '#web/kit/drafts.ts';
import { useLead } from '#web/leads/lead-reads.data.ts';
import { readUnsavedText } from './activity-draft.ts';
import { LeadLoading } from './LeadLoading.tsx';
import { LeadProfile } from './LeadProfile.tsx';
import { LeadUnavailable } from './LeadUnavailable.tsx';

export function LeadScreen({ lead: name }: { lead: LeadRef }) {
  const viewer = useViewer();
  const lead = useLead(name);
  const settings = useSettings();
  const timeZone = useTimeZone();
  const draftsOpen = useDrafts(viewer.id, settings);

  // What was read stays on the screen when reading it again fails, unless it is no longer there or no longer theirs.
  if (lead.isError && (!lead.data || isRefused(lead.error))) {
    const uuid = lead.data?.userBusiness.uuid ?? ('uuid' in name ? name.uuid : undefined);
    return (
      <LeadUnavailable
        error={lead.error}
        draft={uuid && readUnsavedText(viewer.id, uuid)}
        onRetry={() => void lead.refetch()}
      />
    );
  }
  if (!lead.data || !timeZone || !draftsOpen) return <LeadLoading />;
  return <LeadProfile name={name} profile={lead.data} viewer={viewer} timeZone={timeZone} />;
}

/** Whether what the viewer had not saved when the page was last left is there again. */
function useDrafts(viewerId: number, { data, isPending }: ReturnType<typeof useSettings>) {
  const [open, setOpen] = useState(false);
  const secret = data?.draftKey;
  useEffect(() => {
    if (isPending) return;
    const opened = secret ? unlockDrafts(viewerId, secret) : Promise.resolve();
    void opened.catch(() => {}).then(() => setOpen(true));
  }, [viewerId, secret, isPending]);
  return open;
}

const isRefused = (error: Error) => error instanceof ApiError && (error.status === 403 || error.status === 404);
