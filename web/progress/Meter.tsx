import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { formatCount } from '#web/kit/format.ts';
import { ProgressBar } from './ProgressBar.tsx';
import type { PaceWords } from './pace-words.ts';
import { WhatCounts } from './WhatCounts.tsx';

export interface MeterProps {
  label: string;
  /** What it is called where it is not seen; its label, unless a field of a form is called that. */
  name?: string;
  count: number;
  target: number;
  pace: PaceWords;
  /** The whole meter in one sentence. */
  valueText: string;
}

/** For the header: three short lines. */
export function CompactMeter({ label, name = label, count, target, pace, valueText }: MeterProps) {
  return (
    <WhatCounts label={name} className="flex min-w-0 flex-col gap-1.5">
      {(button) => (
        <>
          <div className="flex items-center gap-1.5 text-xs">
            <span className="truncate font-semibold">{label}</span>
            {button}
            <Count count={count} target={target} className="ml-auto" />
          </div>
          <ProgressBar label={name} count={count} target={target} valueText={valueText} {...markOf(pace)} />
          <Standing pace={pace} className="text-xs" />
        </>
      )}
    </WhatCounts>
  );
}

interface FullProps extends MeterProps {
  /** Said under the number. */
  period: string;
  /** What else there is to say about the pace. */
  aside: string;
}

/** For a card: the number first. */
export function FullMeter({ label, count, target, pace, valueText, period, aside }: FullProps) {
  return (
    <WhatCounts label={label} className="flex flex-col gap-3">
      {(button) => (
        <>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-3xl font-semibold tracking-tight tabular-nums">{formatCount(count)}</span>
            <span className="text-sm text-muted">
              of {formatCount(target)} contacts {period}
              <span className="ml-1.5 inline-block align-text-bottom">{button}</span>
            </span>
          </p>
          <ProgressBar label={label} count={count} target={target} valueText={valueText} {...markOf(pace)} />
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
            <Standing pace={pace} />
            <span className="text-muted">{aside}</span>
          </div>
        </>
      )}
    </WhatCounts>
  );
}

/** Where the goal is reached, there is no pace left to keep. */
const markOf = ({ standing, expected }: PaceWords) => (standing === 'reached' ? {} : { expected });

export function Count({ count, target, className }: { count: number; target: number; className?: string }) {
  return (
    <span className={clsx('shrink-0 whitespace-nowrap text-muted tabular-nums', className)}>
      <span className="font-semibold text-ink">{formatCount(count)}</span> / {formatCount(target)}
    </span>
  );
}

const LOOK: Record<PaceWords['standing'], string> = {
  ahead: 'text-good-text',
  behind: 'text-warn-text',
  reached: 'font-semibold text-good-text',
};

function Standing({ pace, className }: { pace: PaceWords; className?: string }) {
  return (
    <p className={clsx('flex min-w-0 items-center gap-1 truncate', LOOK[pace.standing], className)}>
      {pace.standing === 'reached' && <Check aria-hidden="true" className="size-3.5 shrink-0" />}
      {pace.amount && <span className="tabular-nums">{pace.amount} </span>}
      <span>{pace.words}</span>
    </p>
  );
}
