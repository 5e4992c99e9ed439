import { clsx } from 'clsx';
import type { LeadBusiness } from '#contract/leads/lead.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { PhoneLink } from '#web/kit/ui/SafeLink.tsx';

interface Props {
  business: LeadBusiness;
  className?: string;
  onCall?: (() => void) | undefined;
}

/** The phone number, which can be called unless it was found to be wrong; nothing where there is none. */
export function LeadPhone({ business: { phone, phoneIsWrong }, className, onCall }: Props) {
  if (!phone) return null;
  if (!phoneIsWrong) return <PhoneLink to={phone} className={className} onClick={onCall} />;
  return (
    <span className={clsx('inline-flex flex-wrap items-center gap-x-2', className)}>
      <s className="text-muted">{phone}</s>
      <Badge tone="danger">Wrong number</Badge>
    </span>
  );
}
