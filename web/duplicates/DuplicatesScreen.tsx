import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { DUPLICATE_REASON_LABEL, type DuplicateReason, duplicateReason } from '#contract/duplicates/duplicate.ts';
import type { DuplicateGroup, DuplicateRecord, listDuplicates } from '#contract/duplicates/duplicates.calls.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCount, formatDateTime } from '#web/kit/format.ts';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { CountedProgress } from '#web/kit/ui/JobProgress.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { DuplicateGroupCard } from './DuplicateGroupCard.tsx';
import { useDismiss, useDuplicates, useReopen } from './duplicates.data.ts';
import { type DuplicatesState, useDuplicatesState } from './duplicates-state.ts';
import { MergeDialog } from './MergeDialog.tsx';

const REASON_OPTIONS = [
  { value: '', label: 'All reasons' },
  ...duplicateReason.options.map((value) => ({ value, label: DUPLICATE_REASON_LABEL[value] })),
];
const STATE_OPTIONS = [
  { value: 'open', label: 'To decide' },
  { value: 'dismissed', label: 'Not duplicates' },
];

/** Businesses that are stored more than once, side by side, to be merged or marked as different. */
export function DuplicatesScreen() {
  const [state, change] = useDuplicatesState();
  const { duplicates, newer } = useDuplicates(state);
  const dismiss = useDismiss();
  const reopen = useReopen();
  const [merging, setMerging] = useState<DuplicateRecord[]>();
  const count = useRef<HTMLParagraphElement>(null);
  // The group of the pressed button is gone.
  const focusCount = () => count.current?.focus();
  const { data } = duplicates;

  return (
    <Page
      title="Duplicates"
      aside={
        <p ref={count} tabIndex={-1} aria-live="polite" className="text-sm text-muted">
          {data && formatTotal(data.total)}
        </p>
      }
    >
      <Filters state={state} onChange={change} />
      {data && <Scan {...(newer ?? data).scan} />}
      {data && newer && groupKeys(newer) !== groupKeys(data) && (
        <Notice>
          The list has changed: {formatTotal(newer.total)} by now.{' '}
          <button
            type="button"
            className={clsx(linkClass, targetClass)}
            onClick={() => void duplicates.refetch().then(focusCount)}
          >
            Show them
          </button>
        </Notice>
      )}
      {duplicates.isPending && <Loading label="Loading duplicates…" />}
      {duplicates.isLoadingError && (
        <ErrorState title="Duplicates could not be loaded" onRetry={() => void duplicates.refetch()}>
          {duplicates.error.message}
        </ErrorState>
      )}
      {/* A live region must exist before its content. */}
      <div role="status" className="empty:hidden">
        {data?.total === 0 && <NoDuplicates state={state} />}
      </div>
      {data && data.items.length > 0 && (
        <ul aria-label="Duplicates" aria-busy={duplicates.isPlaceholderData} className="flex flex-col gap-4">
          {data.items.map((group) => (
            <DuplicateGroupCard
              key={groupKey(group)}
              group={group}
              dismissed={state.state === 'dismissed'}
              busy={dismiss.isPending || reopen.isPending}
              onMerge={setMerging}
              onDismiss={(ids) => dismiss.mutate(ids, { onSuccess: focusCount })}
              onReopen={(ids) => reopen.mutate(ids, { onSuccess: focusCount })}
            />
          ))}
        </ul>
      )}
      {duplicates.isRefetchError && (
        <Notice tone="danger">The list could not be refreshed: {duplicates.error.message}</Notice>
      )}
      {data && data.total > data.pageSize && (
        <Pagination
          label="Duplicates"
          page={state.page}
          pages={Math.ceil(data.total / data.pageSize)}
          onPage={(page) => change({ page })}
        />
      )}
      {merging && <MergeDialog records={merging} onClose={() => setMerging(undefined)} onTriggerRemoved={focusCount} />}
    </Page>
  );
}

interface FiltersProps {
  state: DuplicatesState;
  onChange: (change: Partial<DuplicatesState>) => void;
}

function Filters({ state, onChange }: FiltersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div
      role="search"
      aria-label="Duplicates"
      className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(2,minmax(0,16rem))]"
    >
      <SelectField
        label="Show"
        options={STATE_OPTIONS}
        value={state.state}
        onChange={({ target }) => onChange({ state: target.value === 'dismissed' ? 'dismissed' : 'open' })}
      />
      <SelectField
        label="Reason"
        options={REASON_OPTIONS}
        value={state.reason ?? ''}
        // The value is one of the options above.
        onChange={({ target }) => onChange({ reason: (target.value as DuplicateReason) || undefined })}
      />
    </div>
  );
}

/** How far the comparison of all businesses is. */
function Scan({ completedAt, businesses, waiting }: ResponseBody<typeof listDuplicates>['scan']) {
  const timeZone = useTimeZone();
  if (waiting > 0) {
    const done = Math.max(0, businesses - waiting);
    return <CountedProgress label="Businesses compared" done={done} total={Math.max(businesses, waiting)} />;
  }
  if (!completedAt || !timeZone) return null;
  return (
    <p className="text-sm text-muted">
      All {formatCount(businesses)} businesses were compared, last on {formatDateTime(completedAt, timeZone)}.
    </p>
  );
}

function NoDuplicates({ state: { state, reason } }: { state: DuplicatesState }) {
  if (reason) return <EmptyState title="No duplicates match the filters in use" />;
  if (state === 'dismissed') {
    return <EmptyState title="Nothing is marked as not a duplicate" />;
  }
  return (
    <EmptyState title="No duplicates found">
      Businesses with the same phone, website or e-mail, or a similar name at the same place, are listed here.
    </EmptyState>
  );
}

const groupKey = ({ records }: DuplicateGroup) => records.map(({ id }) => id).join();
const groupKeys = ({ items }: { items: DuplicateGroup[] }) => items.map(groupKey).join(' ');
const formatTotal = (total: number) => (total === 1 ? '1 group' : `${formatCount(total)} groups`);
