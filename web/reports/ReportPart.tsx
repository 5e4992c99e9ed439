import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';

interface Props<T> {
  title: string;
  /** What the figures count. */
  note?: ReactNode;
  /** Fields that decide what is counted. */
  controls?: ReactNode;
  query: UseQueryResult<T>;
  children: (report: T) => ReactNode;
}

/** One part of the report, which loads and fails by itself. */
export function ReportPart<T>({ title, note, controls, query, children }: Props<T>) {
  return (
    <section className="mt-4 flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      {note && <p className="-mt-2 text-sm text-muted">{note}</p>}
      {controls}
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
