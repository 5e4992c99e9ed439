import { clsx } from 'clsx';
import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import { Link } from 'wouter';
import { toWebUrl } from '#web/kit/links.ts';
import { Spinner } from './Spinner.tsx';

// Classes are not merged (tailwind-merge is 7.5 kB): `className` adds position and width, and overrides none of these.
const BASE =
  'inline-flex items-center gap-2 rounded-md whitespace-nowrap select-none transition-colors [&>svg]:size-4 [&>svg]:shrink-0 ' +
  'disabled:cursor-not-allowed disabled:opacity-60 aria-busy:opacity-60 aria-disabled:cursor-not-allowed';
const VARIANTS = {
  primary: 'bg-pine text-on-pine enabled-hover:bg-pine-strong',
  secondary: 'border border-control bg-surface text-ink enabled-hover:bg-sunken',
  ghost: 'text-ink enabled-hover:bg-sunken',
  link: 'text-pine-text enabled-hover:bg-sunken',
  danger: 'bg-danger text-on-danger enabled-hover:bg-danger-strong',
  'danger-secondary': 'border border-control bg-surface text-danger-text enabled-hover:bg-sunken',
};
const SIZES = {
  md: 'min-h-11 px-4 text-base sm:min-h-10 sm:text-sm',
  sm: 'hit-area min-h-9 px-3 text-sm sm:min-h-8',
};
const LAYOUTS = { inline: 'justify-center font-medium', row: 'w-full justify-start' };

export interface ButtonVariants {
  variant?: keyof typeof VARIANTS | undefined;
  size?: keyof typeof SIZES | undefined;
  /** `row`: one of several buttons below each other, as wide as their container. */
  layout?: keyof typeof LAYOUTS | undefined;
  className?: string | undefined;
}

export const buttonClass = ({ variant = 'primary', size = 'md', layout = 'inline', className }: ButtonVariants) =>
  clsx(BASE, VARIANTS[variant], SIZES[size], LAYOUTS[layout], className);

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'>, ButtonVariants {
  /** An action of this button is pending: it shows a spinner and ignores clicks, but keeps the focus. */
  busy?: boolean;
}

export function Button({ variant, size, layout, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...(busy && { 'aria-busy': true, 'aria-disabled': true })}
      className={buttonClass({ variant, size, layout, className })}
      // Not `disabled` while busy: the browser would take the focus away.
      onClick={busy ? ignoreClick : onClick}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** The default of a submit button would submit the form a second time. */
const ignoreClick = (event: MouseEvent) => event.preventDefault();

interface ButtonLinkProps extends ButtonVariants {
  href: string;
  /** For a link that users know as a button: the space bar then activates it, too. */
  role?: 'button';
  /** What is done besides opening it. */
  onClick?: (() => void) | undefined;
  children: ComponentProps<'a'>['children'];
}

/** A link to a screen with the style of a button. */
export function ButtonLink({ href, role, onClick, className, children, ...variants }: ButtonLinkProps) {
  return (
    <Link
      href={href}
      className={buttonClass({ ...variants, className })}
      {...(onClick && { onClick })}
      {...(role && { role, onKeyDown: clickOnSpace })}
    >
      {children}
    </Link>
  );
}

function clickOnSpace(event: KeyboardEvent<HTMLAnchorElement>) {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

/** A link to another site with the style of a button; nothing where the URL is unsafe. */
export function OutsideButtonLink({
  href,
  className,
  children,
  ...variants
}: Omit<ButtonLinkProps, 'role' | 'onClick'>) {
  const url = toWebUrl(href);
  if (!url) return null;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass({ ...variants, className })}>
      {children}
    </a>
  );
}

/** A link that the server answers by itself, such as by a redirect to another site, with the style of a button. */
export function ServerButtonLink({
  href,
  className,
  children,
  ...variants
}: Omit<ButtonLinkProps, 'role' | 'onClick'>) {
  return (
    <a href={href} className={buttonClass({ ...variants, className })}>
      {children}
    </a>
  );
}
