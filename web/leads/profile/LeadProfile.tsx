import { useEffect, useRef, useState } from 'react';
import { IMPORTED_TAG, type LeadProfile as Profile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canChangeLead, canReassignLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { Card } from '#web/kit/ui/Card.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { LeadQuestion, type Question } from '#web/leads/LeadQuestion.tsx';
import { useOpenLead } from '#web/leads/leads.data.ts';
import { BusinessInformation } from './BusinessInformation.tsx';
import { LeadStatusButtons } from './LeadStatusButtons.tsx';
import { LeadTags } from './LeadTags.tsx';
import { LeadTitle } from './LeadTitle.tsx';
import { ProfileTabs } from './ProfileTabs.tsx';
import { profileGrid } from './profile-grid.ts';
import { QuickActions } from './QuickActions.tsx';

interface Props {
  name: LeadRef;
  profile: Profile;
  viewer: Viewer;
  timeZone: string;
}

export function LeadProfile({ name, profile, viewer, timeZone }: Props) {
  const { business, userBusiness: lead, user: holder } = profile;
  const [question, setQuestion] = useState<Question>();
  const mayChange = canChangeLead(viewer, lead);
  const imported = lead.tags.includes(IMPORTED_TAG);
  useMarkViewed(name, !lead.viewed && mayChange);

  return (
    <div className="flex flex-col gap-6">
      <LeadTitle business={business} lead={lead} imported={imported} />
      {!mayChange && (
        <Notice>
          {holder.fullName} holds this business. You can read it and reassign it; only its holder and admins can change
          it.
        </Notice>
      )}
      <div className={profileGrid}>
        <BusinessInformation
          name={name}
          profile={profile}
          imported={imported}
          mayChange={mayChange}
          own={lead.userId === viewer.id}
          timeZone={timeZone}
        />
        <LeadStatusButtons name={name} current={lead.status} mayChange={mayChange} />
        <Card>
          <ProfileTabs name={name} profile={profile} viewer={viewer} mayChange={mayChange} timeZone={timeZone} />
        </Card>
        <div className="flex flex-col gap-4 sm:gap-6">
          <LeadTags name={name} tags={lead.tags} mayChange={mayChange} />
          <QuickActions
            name={name}
            business={business}
            lead={lead}
            imported={imported}
            mayChange={mayChange}
            mayReassign={canReassignLead(viewer, lead)}
            onAsk={setQuestion}
          />
        </div>
      </div>
      {question && (
        <LeadQuestion question={question} name={name} profile={profile} onClose={() => setQuestion(undefined)} />
      )}
    </div>
  );
}

/** Opening a profile is seeing it. A failed attempt is rolled back to unseen, which must not start the next one. */
function useMarkViewed(name: LeadRef, unseen: boolean) {
  const { mutate } = useOpenLead(name);
  const attempted = useRef(false);
  useEffect(() => {
    if (!unseen || attempted.current) return;
    attempted.current = true;
    mutate();
  }, [unseen, mutate]);
}
