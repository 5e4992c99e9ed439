import { clsx } from 'clsx';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Badge } from './Badge.tsx';
import { type ButtonVariants, buttonClass } from './Button.tsx';
import { toMailtoUrl, toTelUrl } from './contact-urls.ts';
import { linkClass } from './SafeLink.tsx';

/** What stands against contacting somebody. */
export interface Barrier {
  /** In two or three words, beside the number. */
  label: string;
  /** Why, and who can change it. */
  reason: string;
  /** Asked before it is opened all the same; null where it is not opened at all. */
  question: string | null;
}

interface Props {
  means: 'call' | 'email';
  /** The phone number or e-mail address as typed or as a provider sent it. */
  to: string;
  barrier?: Barrier | undefined;
  className?: string | undefined;
  /** What is done besides opening it. */
  onOpen?: (() => void) | undefined;
  children?: ReactNode;
}

/** A link that another app opens: telephone or e-mail. The only one of the product; text where it must not be used. */
export function ContactLink({ means, to, barrier, className, onOpen, children = to }: Props) {
  const href = findHref({ means, to, barrier });
  const link = href ? (
    <Anchor {...{ href, means, barrier, onOpen }} className={clsx(linkClass, !barrier && className)}>
      {children}
    </Anchor>
  ) : (
    <span className={clsx(!barrier && className)}>{children}</span>
  );
  if (!barrier) return link;
  return (
    <span className={clsx('inline-flex flex-wrap items-center gap-x-2', className)}>
      {link}
      <BarrierBadge barrier={barrier} />
    </span>
  );
}

/** The same with the style of a button; nothing where it must not be used, or the text is no number. */
export function ContactButton({ means, to, barrier, onOpen, children, ...variants }: Props & ButtonVariants) {
  const href = findHref({ means, to, barrier });
  if (!href) return null;
  return (
    <Anchor {...{ href, means, barrier, onOpen }} className={buttonClass(variants)}>
      {children}
    </Anchor>
  );
}

interface IconProps extends Props {
  /** For the tooltip of the browser. */
  title: string;
  label: string;
}

/** The same as an icon. */
export function ContactIcon({ means, to, barrier, onOpen, title, label, className, children }: IconProps) {
  const href = findHref({ means, to, barrier });
  if (!href) return null;
  return (
    <Anchor {...{ href, means, barrier, onOpen, title, className }} aria-label={label}>
      {children}
    </Anchor>
  );
}

function findHref({ means, to, barrier }: Pick<Props, 'means' | 'to' | 'barrier'>): string | undefined {
  if (barrier && barrier.question === null) return undefined;
  return means === 'call' ? toTelUrl(to) : toMailtoUrl(to);
}

interface AnchorProps
  extends Omit<ComponentProps<'a'>, 'onClick' | 'href'>,
    Pick<Props, 'means' | 'barrier' | 'onOpen'> {
  href: string;
}

function Anchor({ means, barrier, onOpen, children, ...rest }: AnchorProps) {
  const open = (event: MouseEvent) => {
    if (barrier?.question && !window.confirm(barrier.question)) event.preventDefault();
    else onOpen?.();
  };
  return (
    <a data-contact={means} {...rest} {...((barrier || onOpen) && { onClick: open })}>
      {children}
    </a>
  );
}

function BarrierBadge({ barrier: { label, reason } }: { barrier: Barrier }) {
  return (
    <span title={reason}>
      <Badge tone="danger">{label}</Badge>
      <span className="sr-only">{reason}</span>
    </span>
  );
}
