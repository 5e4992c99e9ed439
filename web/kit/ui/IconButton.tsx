import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Tooltip } from '#web/kit/ui/overlays/Tooltip.tsx';
import { Spinner } from './Spinner.tsx';

const BASE =
  'grid shrink-0 place-items-center rounded-md transition-colors enabled-hover:bg-sunken [&>svg]:size-5 ' +
  'disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60';
const SIZES = { md: 'size-11 sm:size-10', sm: 'hit-area size-9 sm:size-8' };
const TONES = { plain: '', muted: 'text-muted', danger: 'text-danger-text' };

interface Props extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  size?: keyof typeof SIZES | undefined;
  tone?: keyof typeof TONES | undefined;
  icon: LucideIcon;
  /** The accessible name, and the tooltip. */
  label: string;
  /** An action of this button is pending: it ignores clicks, but keeps the focus. */
  busy?: boolean;
  /** Why it is disabled. It stays focusable, so that the tooltip can be read. */
  disabledReason?: string | undefined;
}

export function IconButton(props: Props) {
  const { icon: Icon, label, busy, disabledReason, size = 'md', tone = 'plain', className, onClick, ...rest } = props;
  const disabled = Boolean(busy || disabledReason);
  return (
    <Tooltip content={disabledReason ?? label}>
      <button
        type="button"
        aria-label={label}
        aria-busy={busy || undefined}
        aria-disabled={disabled || undefined}
        onClick={disabled ? undefined : onClick}
        className={clsx(BASE, SIZES[size], TONES[tone], className)}
        {...rest}
      >
        {busy ? <Spinner /> : <Icon aria-hidden="true" />}
      </button>
    </Tooltip>
  );
}
