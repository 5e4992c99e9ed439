import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { toMailtoUrl, toTelUrl, toWebUrl } from '#web/kit/links.ts';

export const linkClass = 'font-medium text-pine-text underline underline-offset-3 hover:decoration-2';

/** For a link outside a sentence: as tall as a pointer needs, without more room between the lines of a large screen. */
export const targetClass = 'inline-block -my-0.5 py-0.5 max-sm:my-0 max-sm:py-3';

interface Props {
  /** The URL, phone number or e-mail as typed or as a provider sent it. */
  to: string;
  className?: string;
  children?: ReactNode;
}

/** A link to another site, or plain text where the URL is unsafe. */
export function SafeLink({ to, className, children = to }: Props) {
  const href = toWebUrl(to);
  if (!href) return <span className={className}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={clsx(linkClass, className)}>
      {children}
    </a>
  );
}

export function PhoneLink({ to, className, onClick, children = to }: Props & { onClick?: (() => void) | undefined }) {
  return <AppLink href={toTelUrl(to)} className={className} text={children} onClick={onClick} />;
}

export function MailLink({ to, className, children = to }: Props) {
  return <AppLink href={toMailtoUrl(to)} className={className} text={children} />;
}

interface AppLinkProps {
  href: string | undefined;
  className: string | undefined;
  text: ReactNode;
  onClick?: (() => void) | undefined;
}

/** A link that another app opens: telephone or e-mail. */
function AppLink({ href, className, text, onClick }: AppLinkProps) {
  if (!href) return <span className={className}>{text}</span>;
  return (
    <a href={href} className={clsx(linkClass, className)} onClick={onClick}>
      {text}
    </a>
  );
}
