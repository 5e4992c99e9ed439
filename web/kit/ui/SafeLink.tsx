import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { toWebUrl } from '#web/kit/links.ts';

export const linkClass = 'font-medium text-pine-text underline underline-offset-3 hover:decoration-2';

/** For a link outside a sentence: as tall as a pointer needs, without more room between the lines of a large screen. */
export const targetClass = 'inline-block -my-0.5 py-0.5 max-sm:my-0 max-sm:py-3';

interface Props {
  /** The URL as typed or as a provider sent it. */
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
