import type { ReactNode } from 'react';

const TONES = {
  neutral: 'bg-sunken text-ink',
  pine: 'bg-pine-soft text-pine-text',
  good: 'bg-good-soft text-good-text',
  warn: 'bg-warn-soft text-warn-text',
  danger: 'bg-danger-soft text-danger-text',
  info: 'bg-info-soft text-info-text',
  awning: 'bg-awning-soft text-awning-text',
  new: 'bg-new text-on-new',
};

export type Tone = keyof typeof TONES;

export function Badge({ tone = 'neutral', children }: { tone?: Tone | undefined; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center rounded-sm px-2 py-0.5 text-xs font-semibold ${TONES[tone]}`}>
      {children}
    </span>
  );
}
