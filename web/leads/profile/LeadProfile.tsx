import { ArrowLeft } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { canAskForUpdate } from '#contract/leads/comments/comment-policy.ts';
import { IMPORTED_TAG, type Lead, type LeadBusiness, type LeadProfile as Profile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canChangeLead, canReassignLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { type CommandHandlers, useCommands } from '#web/commands/commands.ts';
import { useCall } from '#web/contact-rules/barrier.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { PageTitle } from '#web/kit/ui/Page.tsx';
import { NextStepCard } from '#web/leads/follow-ups/NextStepCard.tsx';
import { LogSheet } from '#web/leads/log/LogSheet.tsx';
import { BusinessInformation } from '#web/leads/profile/details/BusinessInformation.tsx';
import { ContactActions } from '#web/leads/profile/details/ContactActions.tsx';
import { LeadTags } from '#web/leads/profile/details/LeadTags.tsx';
import { useActivityDraft } from '#web/leads/profile/history/activity-draft.ts';
import { useNotes } from '#web/leads/profile/notes/notes.data.ts';
import { addRecentLead } from '#web/leads/recent-leads.ts';
import { useWork } from '#web/leads/work-queue/use-work.ts';
import { WorkPanel } from '#web/leads/work-queue/WorkPanel.tsx';
import { type DialogAction, LeadDialog } from './LeadDialog.tsx';
import { LeadStatusButtons } from './LeadStatusButtons.tsx';
import { ProfileTabs } from './ProfileTabs.tsx';
import { useOpenLead } from './profile.data.ts';
import { QuickActions } from './QuickActions.tsx';
import { useBack } from './use-back.ts';

/** Two columns on wide screens; the order of the cards is the reading order. */
export const profileGridClass = 'grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]';

interface Props {
  leadRef: LeadRef;
  profile: Profile;
  viewer: Viewer;
  timeZone: string;
}

export function LeadProfile({ leadRef, profile, viewer, timeZone }: Props) {
  const { business, userBusiness: lead, user: holder } = profile;
  const [dialogAction, setDialogAction] = useState<DialogAction>();
  const [logging, setLogging] = useState(false);
  const mayChange = canChangeLead(viewer, lead);
  const openLog = mayChange ? () => setLogging(true) : undefined;
  const imported = lead.tags.includes(IMPORTED_TAG);
  const notes = useNotes(leadRef, lead, viewer.id);
  const activityDraft = useActivityDraft(leadRef, lead.uuid, viewer.id);
  const saveAll = async () => {
    await notes.saveBeforeLeaving();
    await activityDraft.saveBeforeLeaving();
  };
  const back = useBack();
  const work = useWork({ viewerId: viewer.id, uuid: lead.uuid, save: saveAll });
  useMarkViewedOnOpen(leadRef, !lead.viewed && mayChange);
  const page = useRef<HTMLDivElement>(null);
  useProfileCommands(page, business, {
    logActivity: openLog,
    reassign: canReassignLead(viewer, lead) && (() => setDialogAction('reassign')),
    back: back.goBack,
  });
  useEffect(() => addRecentLead(viewer.id, lead.uuid), [viewer.id, lead.uuid]);

  return (
    <div ref={page} className="flex flex-col gap-6 max-md:pb-16">
      {work ? (
        <WorkPanel
          work={work}
          leadRef={leadRef}
          profile={profile}
          imported={imported}
          mayChange={mayChange}
          back={back}
          onLog={() => setLogging(true)}
        />
      ) : (
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
          <Title business={business} lead={lead} imported={imported} back={back} />
          <ContactActions business={business} imported={imported} onLog={openLog} />
        </div>
      )}
      {!mayChange && (
        <Notice>
          {holder.fullName} holds this business. You can read it and reassign it, and comment on it in the timeline;
          only its holder and admins can change it.
        </Notice>
      )}
      <div className={profileGridClass}>
        <BusinessInformation
          leadRef={leadRef}
          profile={profile}
          imported={imported}
          mayChange={mayChange}
          own={lead.userId === viewer.id}
          onCall={openLog}
          timeZone={timeZone}
        />
        <LeadStatusButtons leadRef={leadRef} lead={lead} mayChange={mayChange} hasKeys={!work} />
        <Card>
          <ProfileTabs
            leadRef={leadRef}
            profile={profile}
            viewer={viewer}
            notes={notes}
            activityDraft={activityDraft}
            mayChange={mayChange}
            timeZone={timeZone}
          />
        </Card>
        <div className="flex flex-col gap-4 sm:gap-6">
          <NextStepCard leadRef={leadRef} lead={lead} mayChange={mayChange} />
          <LeadTags leadRef={leadRef} uuid={lead.uuid} tags={lead.tags} mayChange={mayChange} />
          <QuickActions
            leadRef={leadRef}
            business={business}
            lead={lead}
            imported={imported}
            mayChange={mayChange}
            mayReassign={canReassignLead(viewer, lead)}
            askable={canAskForUpdate(viewer, lead) ? holder : undefined}
            onDialog={setDialogAction}
          />
        </div>
      </div>
      {logging && <LogSheet leadRef={leadRef} item={profile} onClose={() => setLogging(false)} onLogged={work?.goOn} />}
      {dialogAction && (
        <LeadDialog
          action={dialogAction}
          leadRef={leadRef}
          profile={profile}
          onClose={() => setDialogAction(undefined)}
        />
      )}
    </div>
  );
}

interface TitleProps {
  business: LeadBusiness;
  lead: Lead;
  imported: boolean;
  back: { label: string; goBack: () => void };
}

function Title({ business, lead, imported, back }: TitleProps) {
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <Button variant="link" size="sm" className="-ml-3" onClick={back.goBack}>
        <ArrowLeft aria-hidden="true" />
        {back.label}
      </Button>
      <div className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-2 [overflow-wrap:anywhere]">
        <PageTitle>{business.name}</PageTitle>
        <div className="flex flex-wrap gap-2">
          {lead.viewed ? <Badge>Viewed</Badge> : <Badge tone="new">New</Badge>}
          {imported && <Badge tone="info">Imported</Badge>}
          {lead.archived && <Badge tone="warn">Archived</Badge>}
          {lead.existingCustomer && <Badge tone="good">Existing customer</Badge>}
        </div>
      </div>
    </div>
  );
}

function useProfileCommands(
  page: RefObject<HTMLElement | null>,
  business: LeadBusiness,
  commands: Pick<CommandHandlers, 'logActivity' | 'reassign' | 'back'>,
) {
  const { callable } = useCall(business);
  useCommands({
    ...commands,
    call: callable && (() => page.current?.querySelector<HTMLAnchorElement>('a[data-contact="call"]')?.click()),
  });
}

/** Tries once per visit: a failed attempt shows the lead as not viewed again, which must not start the next one. */
function useMarkViewedOnOpen(leadRef: LeadRef, notViewed: boolean) {
  const { mutate } = useOpenLead(leadRef);
  const attempted = useRef(false);
  useEffect(() => {
    if (!notViewed || attempted.current) return;
    attempted.current = true;
    mutate();
  }, [notViewed, mutate]);
}
