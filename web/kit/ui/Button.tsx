import { clsx } from 'clsx';
import type { ComponentProps, KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { toWebUrl } from '#web/kit/links.ts';
import { Spinner } from './Spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
type Size = 'md' | 'sm';

const LOOK: Record<ButtonVariant, string> = {
  primary: 'bg-pine text-on-pine enabled:hover:bg-pine-strong [a&]:hover:bg-pine-strong',
  secondary: 'border border-control bg-surface text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  ghost: 'text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  danger: 'bg-danger text-on-danger enabled:hover:bg-danger-strong',
};

const SIZE: Record<Size, string> = { md: 'min-h-11 px-4 sm:min-h-10', sm: 'min-h-9 px-3 text-sm sm:min-h-8' };

const buttonClass = (variant: ButtonVariant, size: Size) =>
  clsx(
    'inline-flex items-center justify-center gap-2 rounded-md text-base font-medium whitespace-nowrap select-none sm:text-sm',
    'transition-colors disabled:cursor-not-allowed disabled:opacity-60',
    LOOK[variant],
    SIZE[size],
  );

interface Look {
  variant?: ButtonVariant;
  size?: Size;
}

interface ButtonProps extends ComponentProps<'button'>, Look {
  /** Something this button started is under way: it turns, and cannot be pressed again. */
  busy?: boolean;
}

export function Button({
  variant = 'primary',
  size = 'md',
  busy,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={clsx(buttonClass(variant, size), className)}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

interface ButtonLinkProps extends Look {
  href: string;
  /** For a link that people know as a button, and press like one: it then answers to the space bar too. */
  role?: 'button';
  className?: string;
  children: ComponentProps<'a'>['children'];
}

/** A link to a screen that looks like a button. */
export function ButtonLink({ href, role, variant = 'primary', size = 'md', className, children }: ButtonLinkProps) {
  return (
    <Link
      href={href}
      className={clsx(buttonClass(variant, size), className)}
      {...(role && { role, onKeyDown: pressBySpace })}
    >
      {children}
    </Link>
  );
}

function pressBySpace(event: KeyboardEvent<HTMLAnchorElement>) {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

/** A link that leaves the product and looks like a button; nothing where the address may not be followed. */
export function OutsideButtonLink({ href, variant = 'primary', size = 'md', className, children }: ButtonLinkProps) {
  const address = toWebUrl(href);
  if (!address) return null;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" className={clsx(buttonClass(variant, size), className)}>
      {children}
    </a>
  );
}
