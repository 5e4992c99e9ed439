import { cva, type VariantProps } from 'class-variance-authority';
import type { ReactNode } from 'react';

const badgeClass = cva('inline-flex items-center rounded-sm px-2 py-0.5 text-xs font-semibold', {
  variants: {
    tone: {
      neutral: 'bg-sunken text-ink',
      pine: 'bg-pine-soft text-pine-text',
      good: 'bg-good-soft text-good-text',
      warn: 'bg-warn-soft text-warn-text',
      danger: 'bg-danger-soft text-danger-text',
      info: 'bg-info-soft text-info-text',
      awning: 'bg-awning-soft text-awning-text',
      new: 'bg-new text-on-new',
    },
  },
  defaultVariants: { tone: 'neutral' },
});

export type Tone = NonNullable<VariantProps<typeof badgeClass>['tone']>;

export function Badge({ tone, children }: { tone?: Tone; children: ReactNode }) {
  return <span className={badgeClass({ tone })}>{children}</span>;
}
