import type { LeadBusiness } from '#contract/leads/lead.ts';
import { PhoneNumber } from '#web/contact-rules/PhoneNumber.tsx';

interface Props {
  business: LeadBusiness;
  className?: string;
  onCall?: (() => void) | undefined;
}

/** The phone number of a lead; nothing where there is none. */
export function LeadPhone({ business: { phone, phoneIsWrong, objections }, className, onCall }: Props) {
  return (
    phone && (
      <PhoneNumber phone={phone} isWrong={phoneIsWrong} objections={objections} className={className} onCall={onCall} />
    )
  );
}
