import { clsx } from 'clsx';
import { Ban } from 'lucide-react';
import { useId } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';

interface Props {
  /** On a whole screen, of which it takes as little as it can. */
  dense?: boolean;
  busy: boolean;
  onChoose: () => void;
}

/** Logs that nobody is interested, and records for good that they must not be called again. */
export function AskedNotToBeCalled({ dense = false, busy, onChoose }: Props) {
  const id = useId();
  return (
    <Button
      variant="danger-secondary"
      className={clsx(
        'min-h-12 w-full justify-start! text-left max-sm:px-2',
        dense && 'max-sm:-mt-0.5 max-sm:min-h-11',
      )}
      aria-describedby={id}
      busy={busy}
      onClick={onChoose}
    >
      {!busy && <Ban aria-hidden="true" />}
      <span className="flex min-w-0 flex-col leading-tight">
        <span className="truncate">Asked not to be called</span>
        <span
          id={id}
          aria-hidden="true"
          className={clsx('truncate text-xs font-normal text-muted', dense && 'max-sm:hidden')}
        >
          Closes the lead. Undo does not take it back.
        </span>
      </span>
    </Button>
  );
}

export const ASKED_NOT_TO_BE_CALLED = { outcome: 'not_interested', objection: 'call' } as const;
