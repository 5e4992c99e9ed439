import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Spinner } from './Spinner.tsx';
import { Tooltip } from './Tooltip.tsx';

interface Props extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  icon: LucideIcon;
  /** Its name: what is read out, and what the tooltip says. */
  label: string;
  /** A longer tooltip than the name. */
  tip?: string;
  busy?: boolean;
  tone?: 'plain' | 'danger';
}

/** A button that is only a picture, and therefore has to have a name. */
export function IconButton({ icon: Icon, label, tip, busy, tone = 'plain', disabled, className, ...rest }: Props) {
  return (
    <Tooltip tip={tip ?? label}>
      <button
        type="button"
        aria-label={label}
        aria-busy={busy || undefined}
        disabled={disabled || busy}
        className={clsx(
          'grid size-10 shrink-0 place-items-center rounded-md transition-colors enabled:hover:bg-sunken sm:size-9',
          'disabled:cursor-not-allowed disabled:opacity-60',
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
