import { clsx } from 'clsx';
import { Badge } from './Badge.tsx';
import { PhoneLink } from './SafeLink.tsx';

interface Props {
  phone: string;
  isWrong: boolean;
  className?: string | undefined;
  onCall?: (() => void) | undefined;
}

/** A phone number, which can be called unless it was found to be wrong. */
export function PhoneNumber({ phone, isWrong, className, onCall }: Props) {
  if (!isWrong) return <PhoneLink to={phone} className={className} onClick={onCall} />;
  return (
    <span className={clsx('inline-flex flex-wrap items-center gap-x-2', className)}>
      <s className="text-muted">{phone}</s>
      <Badge tone="danger">Wrong number</Badge>
    </span>
  );
}
