import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Spinner } from './Spinner.tsx';
import { Tooltip } from './Tooltip.tsx';

interface Props extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  icon: LucideIcon;
  /** Its name: what is read out, and what the tooltip says. */
  label: string;
  /** Something it started is under way. It cannot be pressed again, and keeps the focus. */
  busy?: boolean;
  /** Why it cannot be pressed. It stays reachable, so that the reason can be read. */
  disabledReason?: string | undefined;
  tone?: 'plain' | 'danger';
}

/** A button that is only a picture, and therefore has to have a name. */
export function IconButton(props: Props) {
  const { icon: Icon, label, busy, disabledReason, tone = 'plain', className, onClick, ...rest } = props;
  const still = Boolean(busy || disabledReason);
  return (
    <Tooltip content={disabledReason ?? label}>
      <button
        type="button"
        aria-label={label}
        aria-busy={busy || undefined}
        aria-disabled={still || undefined}
        onClick={still ? undefined : onClick}
        className={clsx(
          'grid size-10 shrink-0 place-items-center rounded-md transition-colors sm:size-9',
          'disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60',
          !still && 'enabled:hover:bg-sunken',
          tone === 'danger' && 'text-danger-text',
          className,
        )}
        {...rest}
      >
        {busy ? <Spinner /> : <Icon aria-hidden="true" className="size-4.5" />}
      </button>
    </Tooltip>
  );
}
