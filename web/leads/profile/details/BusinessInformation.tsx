import { MapPin } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { DETAIL_FIELDS, DETAIL_KEYS, type DetailKey } from '#contract/leads/fields/detail-fields.ts';
import type { Lead, LeadBusiness, LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { parseStoredWebsite, parseWebsite } from '#contract/leads/website.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { LeadPhone } from '#web/leads/LeadPhone.tsx';
import { DETAIL_VIEWS, listReadOnlyEntries } from '#web/leads/lead-field-views.tsx';
import { mapsSearchUrl } from '#web/leads/lead-links.ts';
import { DoNotContact } from '#web/leads/profile/objections/DoNotContact.tsx';
import { useChangeDetail, useChangePhone, useChangeWebsite, useConfirmPhone } from '#web/leads/profile/profile.data.ts';
import { EditableField } from './EditableField.tsx';
import { OwnFields } from './OwnFields.tsx';
import { TypeField } from './TypeField.tsx';

interface Props {
  leadRef: LeadRef;
  profile: LeadProfile;
  imported: boolean;
  mayChange: boolean;
  /** Whether the viewer is the holder; if not, the holder is shown. */
  own: boolean;
  onCall: (() => void) | undefined;
  timeZone: string;
}

export function BusinessInformation({ leadRef, profile, imported, mayChange, own, onCall, timeZone }: Props) {
  const { business, userBusiness: lead } = profile;
  const address = business.formattedAddress?.trim() || null;
  return (
    <Card>
      <CardTitle>Business Information</CardTitle>
      <div className="mb-4 flex gap-2">
        <MapPin aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
        <div className="flex min-w-0 flex-col items-start gap-1 [overflow-wrap:anywhere]">
          {address ? <p>{address}</p> : <p className="text-muted">No address available</p>}
          {address && !imported && (
            <SafeLink to={mapsSearchUrl(business.name, address)} className={`text-sm ${targetClass}`}>
              View on Google Maps
            </SafeLink>
          )}
        </div>
      </div>
      <dl>
        <TypeField key={profile.business.id} business={profile.business} mayChange={mayChange} />
        <ContactFields leadRef={leadRef} profile={profile} mayChange={mayChange} onCall={onCall} />
      </dl>
      <DoNotContact leadRef={leadRef} business={business} mayChange={mayChange} />
      <dl className="flex flex-wrap gap-x-8 gap-y-1 border-t border-line pt-3 text-sm">
        {listReadOnlyEntries(lead, timeZone).map(({ term, value }) => (
          <Entry key={term} label={`${term}:`}>
            {value}
          </Entry>
        ))}
        {!own && <Entry label="Holder:">{profile.user.fullName}</Entry>}
      </dl>
    </Card>
  );
}

function ContactFields({
  leadRef,
  profile,
  mayChange,
  onCall,
}: Pick<Props, 'leadRef' | 'profile' | 'mayChange' | 'onCall'>) {
  const { business, userBusiness: lead } = profile;
  const phone = useChangePhone(business.id);
  const confirmPhone = useConfirmPhone(business.id);
  const website = useChangeWebsite(business.id);
  const values = {
    phone: business.phone ?? '',
    website: parseStoredWebsite(business.website) ?? '',
  };

  return (
    <>
      <LineField
        label="Phone"
        type="tel"
        value={values.phone}
        mayChange={mayChange}
        draftKey={`${lead.uuid}.phone`}
        onSave={phone.mutateAsync}
      >
        <LeadPhone business={business} className={targetClass} onCall={onCall} />
        {business.phoneIsWrong && mayChange && (
          <Button variant="link" size="sm" busy={confirmPhone.isPending} onClick={() => confirmPhone.mutate()}>
            Number is right
          </Button>
        )}
      </LineField>
      <LineField
        label="Website"
        type="url"
        value={values.website}
        mayChange={mayChange}
        draftKey={`${lead.uuid}.website`}
        // Text that is no URL is sent unchanged, for the server to refuse it.
        onSave={(text) => website.mutateAsync(parseWebsite(text) ?? text)}
      >
        <SafeLink to={values.website} className={targetClass} />
      </LineField>
      {DETAIL_KEYS.map((key) => (
        <Detail key={key} detail={key} leadRef={leadRef} business={business} lead={lead} mayChange={mayChange} />
      ))}
      <OwnFields leadRef={leadRef} lead={lead} mayChange={mayChange} />
    </>
  );
}

interface DetailProps {
  detail: DetailKey;
  leadRef: LeadRef;
  business: LeadBusiness;
  lead: Lead;
  mayChange: boolean;
}

function Detail({ detail, leadRef, business, lead, mayChange }: DetailProps) {
  const change = useChangeDetail(leadRef, detail);
  const { input, show } = DETAIL_VIEWS[detail];
  const value = lead.customFields[detail] ?? '';
  return (
    <LineField
      label={DETAIL_FIELDS[detail].label}
      type={input}
      value={value}
      mayChange={mayChange}
      draftKey={`${lead.uuid}.${detail}`}
      onSave={change.mutateAsync}
    >
      {show(value, business, targetClass)}
    </LineField>
  );
}

type LineProps = Omit<ComponentProps<typeof EditableField>, 'renderControl' | 'onSave'> & {
  type: 'tel' | 'url' | 'email' | 'text';
  onSave: (text: string) => Promise<unknown>;
};

/** A field that is one line of text. */
const LineField = ({ type, onSave, ...field }: LineProps) => (
  <EditableField
    {...field}
    onSave={(text) => onSave(text)}
    renderControl={({ onChange, ...control }) => (
      <TextField
        label={field.label}
        labelHidden
        type={type}
        autoComplete="off"
        {...control}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  />
);

function Entry({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
