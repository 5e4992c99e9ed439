import type { LeadBusiness } from '#contract/leads/lead.ts';
import { PhoneNumber } from '#web/kit/ui/PhoneNumber.tsx';

interface Props {
  business: LeadBusiness;
  className?: string;
  onCall?: (() => void) | undefined;
}

/** The phone number of a lead; nothing where there is none. */
export function LeadPhone({ business: { phone, phoneIsWrong }, className, onCall }: Props) {
  return phone && <PhoneNumber phone={phone} isWrong={phoneIsWrong} className={className} onCall={onCall} />;
}
