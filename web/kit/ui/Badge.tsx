import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'pine' | 'good' | 'warn' | 'danger' | 'info' | 'awning';

const LOOK: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink',
  pine: 'bg-pine-soft text-pine-text',
  good: 'bg-good-soft text-good-text',
  warn: 'bg-warn-soft text-warn-text',
  danger: 'bg-danger-soft text-danger-text',
  info: 'bg-info-soft text-info-text',
  awning: 'bg-awning-soft text-awning-text',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={clsx('inline-flex items-center rounded-sm px-2 py-0.5 text-xs font-semibold', LOOK[tone])}>
      {children}
    </span>
  );
}
