import type { UseQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';

interface Props<T> {
  title: string;
  /** What the figures count. */
  note?: ReactNode;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  /** Fields that decide what is counted. */
  controls?: ReactNode;
  /** As wide as the page on paper, where others are beside each other. */
  wide?: boolean;
  query: UseQueryResult<T>;
  children: (report: T) => ReactNode;
}

/** One part of the report, which loads and fails by itself. */
export function ReportPart<T>({ title, note, actions, controls, wide = false, query, children }: Props<T>) {
  return (
    <section className={clsx('mt-4 flex flex-col gap-3 print:mt-0 print:gap-1', wide && 'print:col-span-2')}>
      <div className="flex items-start justify-between gap-4">
        <div>
          <h2 className="text-lg font-semibold print:text-base">{title}</h2>
          {note && <p className="mt-1 text-sm text-muted print:hidden">{note}</p>}
        </div>
        {actions}
      </div>
      {controls && <div className="print:hidden">{controls}</div>}
      {query.isRefetchError && <Notice tone="danger">The figures could not be refreshed: {query.error.message}</Notice>}
      {query.isLoadingError ? (
        <ErrorState title="The figures could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      ) : query.data !== undefined ? (
        children(query.data)
      ) : (
        <div role="status" className="rounded-lg border border-line bg-surface p-5">
          <span className="sr-only">Counting…</span>
          <Skeleton lines={5} />
        </div>
      )}
    </section>
  );
}
