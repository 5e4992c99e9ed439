import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { ApiError } from '#web/kit/api.ts';
import { toast } from '#web/kit/toasts.ts';
import { AsOf } from '#web/kit/ui/AsOf.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { useLead } from '#web/leads/leads.data.ts';
import { readUnsavedText } from '#web/leads/profile/history/activity-draft.ts';
import { removeRecentLead } from '#web/leads/recent-leads.ts';
import { useWork } from '#web/leads/work-queue/use-work.ts';
import { WorkBar } from '#web/leads/work-queue/WorkBar.tsx';
import { LeadProfile, profileGridClass } from './LeadProfile.tsx';
import { LeadUnavailable } from './LeadUnavailable.tsx';

export function LeadScreen({ leadRef }: { leadRef: LeadRef }) {
  const viewer = useViewer();
  const lead = useLead(leadRef);
  const timeZone = useTimeZone();
  const draftsReady = useUnlockedDrafts(viewer.id);

  const refused = lead.isError && isRefused(lead.error);
  useEffect(() => {
    if (refused && 'uuid' in leadRef) removeRecentLead(viewer.id, leadRef.uuid);
  }, [refused, leadRef, viewer.id]);

  const [, navigate] = useLocation();
  const movedTo = lead.isError ? findMovedTo(lead.error) : undefined;
  useEffect(() => {
    if (!movedTo) return;
    navigate(`/business/uuid/${movedTo}`, { replace: true });
    toast({ title: 'Merged lead', description: 'This is the lead that the one you opened was merged into.' });
  }, [movedTo, navigate]);

  if (movedTo) return <LeadLoading />;
  // Loaded data stays on the screen when a refetch fails, unless the lead is gone or not the viewer's any more.
  if (lead.isError && (!lead.data || refused)) {
    const uuid = lead.data?.userBusiness.uuid ?? ('uuid' in leadRef ? leadRef.uuid : undefined);
    return (
      <div className="flex flex-col gap-6">
        {uuid && <GoneWork viewerId={viewer.id} uuid={uuid} />}
        <LeadUnavailable
          error={lead.error}
          unsavedText={uuid && readUnsavedText(viewer.id, uuid)}
          onRetry={() => void lead.refetch()}
        />
      </div>
    );
  }
  if (!lead.data || !timeZone || !draftsReady) return <LeadLoading />;
  return (
    <div className="flex flex-col gap-2">
      <AsOf at={lead.dataUpdatedAt} />
      <LeadProfile leadRef={leadRef} profile={lead.data} viewer={viewer} timeZone={timeZone} />
    </div>
  );
}

/** The way on from a lead that is gone. */
function GoneWork({ viewerId, uuid }: { viewerId: number; uuid: string }) {
  const work = useWork({ viewerId, uuid, save: async () => {} });
  return (
    work && (
      <section aria-label="Work through leads">
        <Card>
          <WorkBar work={work} />
        </Card>
      </section>
    )
  );
}

function LeadLoading() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading business…</span>
      <div className="w-72 max-w-full">
        <Skeleton lines={2} />
      </div>
      <div className={profileGridClass}>
        {[6, 5, 6, 4].map((lines, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never move
          <Card key={index}>
            <Skeleton lines={lines} />
          </Card>
        ))}
      </div>
    </div>
  );
}

/** The lead that a merge joined this one into. */
const findMovedTo = (error: Error) =>
  error instanceof ApiError ? (error.body as { movedTo?: string }).movedTo : undefined;

const isRefused = (error: Error) => error instanceof ApiError && (error.status === 403 || error.status === 404);
