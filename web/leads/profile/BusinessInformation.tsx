import { MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { parseWebsite, toWebsite } from '#contract/leads/website.ts';
import { formatDate } from '#web/kit/format.ts';
import { Card } from '#web/kit/ui/Card.tsx';
import { MailLink, PhoneLink, SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { useChangeContactPerson, useChangeEmail, useChangePhone, useChangeWebsite } from '#web/leads/leads.data.ts';
import { mapsSearch } from '#web/leads/maps-link.ts';
import { CardTitle } from './CardTitle.tsx';
import { EditableField } from './EditableField.tsx';

interface Props {
  name: LeadRef;
  profile: LeadProfile;
  imported: boolean;
  mayChange: boolean;
  /** Whether the viewer holds it; if not, it is said who does. */
  own: boolean;
  timeZone: string;
}

export function BusinessInformation({ name, profile, imported, mayChange, own, timeZone }: Props) {
  const { business, userBusiness: lead } = profile;
  const address = business.formattedAddress?.trim() || null;
  return (
    <Card>
      <CardTitle>Business Information</CardTitle>
      <div className="mb-4 flex gap-2.5">
        <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="flex min-w-0 flex-col items-start gap-1 [overflow-wrap:anywhere]">
          {address ? <p>{address}</p> : <p className="text-muted">No address available</p>}
          {address && !imported && (
            <SafeLink to={mapsSearch(business.name, address)} className="text-sm">
              View on Google Maps
            </SafeLink>
          )}
        </div>
      </div>
      <dl>
        <ContactFields name={name} profile={profile} mayChange={mayChange} />
      </dl>
      <dl className="flex flex-wrap gap-x-8 gap-y-1 border-t border-line pt-3 text-sm">
        <Moment label="Assigned:" at={lead.assignedAt} timeZone={timeZone} />
        {lead.lastContactedAt && <Moment label="Last Contact:" at={lead.lastContactedAt} timeZone={timeZone} />}
        {!own && <Fact label="Holder:">{profile.user.fullName}</Fact>}
      </dl>
    </Card>
  );
}

function ContactFields({ name, profile, mayChange }: Pick<Props, 'name' | 'profile' | 'mayChange'>) {
  const { business, userBusiness: lead } = profile;
  const phone = useChangePhone(business.id);
  const website = useChangeWebsite(business.id);
  const email = useChangeEmail(name);
  const contactPerson = useChangeContactPerson(name);
  const shown = {
    phone: business.phone ?? '',
    website: toWebsite(business.website) ?? '',
    email: lead.customFields.email ?? '',
    contactPerson: lead.customFields.contactPerson ?? '',
  };

  return (
    <>
      <EditableField label="Phone" type="tel" value={shown.phone} mayChange={mayChange} onSave={phone.mutateAsync}>
        <PhoneLink to={shown.phone} />
      </EditableField>
      <EditableField
        label="Website"
        type="url"
        value={shown.website}
        mayChange={mayChange}
        // What is no address is sent as it is, for the server to say so.
        onSave={(typed) => website.mutateAsync(parseWebsite(typed) ?? typed)}
      >
        <SafeLink to={shown.website} />
      </EditableField>
      <EditableField
        label="Email"
        type="email"
        value={shown.email}
        mayChange={mayChange}
        onSave={(typed) => email.mutateAsync({ email: typed })}
      >
        <MailLink to={shown.email} />
      </EditableField>
      <EditableField
        label="Contact person"
        type="text"
        value={shown.contactPerson}
        mayChange={mayChange}
        onSave={(typed) => contactPerson.mutateAsync({ contactPerson: typed })}
      >
        {shown.contactPerson}
      </EditableField>
    </>
  );
}

function Moment({ label, at, timeZone }: { label: string; at: string; timeZone: string }) {
  return (
    <Fact label={label}>
      <time dateTime={at}>{formatDate(at, timeZone)}</time>
    </Fact>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
