import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { toMailtoUrl, toTelUrl, toWebUrl } from '#web/kit/links.ts';

export const linkClass = 'font-medium text-pine-text underline underline-offset-3 hover:decoration-2';

interface Props {
  /** The address as somebody typed it, or as a provider gave it. */
  to: string;
  className?: string;
  children?: ReactNode;
}

/** A link to a place outside, or plain text where the address is not one that may be followed. */
export function SafeLink({ to, className, children = to }: Props) {
  const href = toWebUrl(to);
  if (!href) return <span className={className}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={clsx(linkClass, className)}>
      {children}
    </a>
  );
}

export function PhoneLink({ to, className, children = to }: Props) {
  return <Plain href={toTelUrl(to)} className={className} text={children} />;
}

export function MailLink({ to, className, children = to }: Props) {
  return <Plain href={toMailtoUrl(to)} className={className} text={children} />;
}

function Plain({
  href,
  className,
  text,
}: {
  href: string | undefined;
  className: string | undefined;
  text: ReactNode;
}) {
  if (!href) return <span className={className}>{text}</span>;
  return (
    <a href={href} className={clsx(linkClass, className)}>
      {text}
    </a>
  );
}
