import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Cell } from '#web/kit/ui/tables/Table.tsx';

/** As high as a link needs to be touched: the two of a cell do not cover each other. */
export const lineClass = 'flex min-h-11 items-center sm:min-h-6 print:min-h-0';

interface Props {
  now: ReactNode;
  before: ReactNode;
}

/** A figure with that of the period before under it, on paper beside it. */
export function NowAndBefore({ now, before }: Props) {
  return (
    <Cell className="text-right tabular-nums max-sm:px-1.5 max-sm:py-0 sm:py-2">
      <div className="flex flex-col whitespace-nowrap print:flex-row print:justify-end print:gap-1.5">
        <div className={clsx(lineClass, 'justify-end')}>{now}</div>
        <div className={clsx(lineClass, 'justify-end text-xs font-normal text-muted print:min-w-4')}>{before}</div>
      </div>
    </Cell>
  );
}
