import { clsx } from 'clsx';
import type { ObjectionFact } from '#contract/contact-rules/objection.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { CheckedLink } from './CheckedLink.tsx';

interface Props {
  phone: string;
  isWrong: boolean;
  objections: readonly ObjectionFact[] | undefined;
  className?: string | undefined;
  onCall?: (() => void) | undefined;
}

/** A phone number, which can be called unless it was found to be wrong, or somebody objected. */
export function PhoneNumber({ phone, isWrong, objections, className, onCall }: Props) {
  if (!isWrong) {
    return <CheckedLink means="call" to={phone} objections={objections} className={className} onOpen={onCall} />;
  }
  return (
    <span className={clsx('inline-flex flex-wrap items-center gap-x-2', className)}>
      <s className="text-muted">{phone}</s>
      <Badge tone="danger">Wrong number</Badge>
    </span>
  );
}
