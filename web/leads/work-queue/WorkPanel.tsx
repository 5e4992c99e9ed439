import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { PageTitle } from '#web/kit/ui/Page.tsx';
import { directionsUrl } from '#web/leads/lead-links.ts';
import { ContactPanel, ContactTitle } from './ContactPanel.tsx';
import type { Work } from './use-work.ts';
import { WorkBar } from './WorkBar.tsx';

interface Props {
  work: Work;
  leadRef: LeadRef;
  profile: LeadProfile;
  imported: boolean;
  mayChange: boolean;
  back: { label: string; goBack: () => void };
  /** For what takes more than one touch. */
  onLog: () => void;
}

/** A lead of those that are being worked through. */
export function WorkPanel({ work, leadRef, profile, imported, mayChange, back, onLog }: Props) {
  const { business } = profile;
  const address = imported ? null : business.formattedAddress?.trim();
  return (
    <section
      aria-label="Work through leads"
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3 shadow-card sm:gap-3 sm:p-4"
    >
      <WorkBar work={work} back={back} />
      <ContactTitle status={profile.userBusiness.status}>
        <PageTitle>{business.name}</PageTitle>
      </ContactTitle>
      <ContactPanel
        leadRef={leadRef}
        profile={profile}
        directions={address ? directionsUrl(business.name, address) : undefined}
        mayChange={mayChange}
        leaving={work.pending !== undefined}
        onLog={onLog}
        onLogged={work.goOn}
      />
    </section>
  );
}
