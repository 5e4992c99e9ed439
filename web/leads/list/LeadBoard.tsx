import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isClosed, LEAD_STATUS_LABEL, type LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { BoardCard } from './BoardCard.tsx';
import { boardStatuses, type Move, useBoardColumn, useMoveLead } from './board.data.ts';
import type { Offer } from './FollowUpOffer.tsx';
import { useStatuses } from './list.data.ts';
import type { ListState } from './list-state.ts';

interface Props {
  state: ListState;
  /** Something is to be offered for the lead that was moved. */
  onOffer: (offer: Offer) => void;
}

/** The leads by status, in columns. Cards are dragged, or moved with their menu. */
export function LeadBoard({ state, onOffer }: Props) {
  const viewer = useViewer();
  const statuses = boardStatuses(state, useStatuses(state));
  const [announcement, setAnnouncement] = useState('');
  const { pending, move } = useMoveLead(({ item, to }) => {
    setAnnouncement(`${item.business.name} moved to ${LEAD_STATUS_LABEL[to]}`);
    const offer = offerAfter(item, to);
    if (offer) onOffer(offer);
  });
  const moveTo = (item: ListedLead, to: LeadStatus) => {
    if (item.userBusiness.status !== to) move({ item, to });
  };
  return (
    <div className="flex flex-col gap-3">
      {(state.existing || state.customers) && <Notice>Existing customers are not on the board.</Notice>}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {/* Relative: what is visually hidden in a column must not widen the page. */}
      <div className="relative -mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-3">
        {statuses.map((status) => (
          <BoardColumn
            key={status}
            status={status}
            statuses={statuses}
            state={state}
            viewer={viewer}
            pending={pending}
            onMove={moveTo}
          />
        ))}
      </div>
    </div>
  );
}

/** As after a change of status elsewhere: a date for a lead to contact again, or to drop what is planned on a closed one. */
function offerAfter({ userBusiness: { id, nextStepAt } }: ListedLead, to: LeadStatus): Offer | undefined {
  if (to === 'recontact' && !nextStepAt) return { action: 'plan', ids: [id] };
  return isClosed(to) && nextStepAt ? { action: 'drop', ids: [id] } : undefined;
}

interface ColumnProps {
  status: LeadStatus;
  statuses: LeadStatus[];
  state: ListState;
  viewer: Viewer;
  /** Moves that are not saved and loaded yet. */
  pending: Move[];
  onMove: (item: ListedLead, to: LeadStatus) => void;
}

function BoardColumn({ status, statuses, state, viewer, pending, onMove }: ColumnProps) {
  const column = useBoardColumn(state, viewer, status);
  const element = useRef<HTMLElement>(null);
  const [over, setOver] = useState(false);
  const drop = useEffectEvent((item: ListedLead) => onMove(item, status));
  useEffect(() => {
    if (!element.current) return;
    return dropTargetForElements({
      element: element.current,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        // Only the cards of the board are dragged.
        drop(source.data.item as ListedLead);
      },
    });
  }, []);

  const loaded = column.data?.pages.flatMap(({ items }) => items) ?? [];
  const movedIds = new Set(pending.map(({ item }) => item.userBusiness.id));
  const movedHere = pending.filter(({ to }) => to === status).map(({ item }) => item);
  const items = [...movedHere, ...loaded.filter(({ userBusiness }) => !movedIds.has(userBusiness.id))];
  const first = column.data?.pages[0];
  const label = LEAD_STATUS_LABEL[status];
  return (
    <section
      ref={element}
      aria-label={label}
      className={clsx(
        'flex max-h-[75dvh] w-72 shrink-0 snap-start flex-col rounded-lg border bg-sunken max-sm:w-[82vw]',
        over ? 'border-pine ring-2 ring-pine' : 'border-line',
      )}
    >
      <h2 className="flex items-center justify-between gap-2 px-3 py-2 text-sm font-semibold">
        {label}{' '}
        {first && (
          <span className="rounded-full bg-surface px-2 text-xs font-medium">
            {formatCount(first.total)}
            {first.totalCapped && '+'}
            <span className="sr-only"> {first.total === 1 ? 'lead' : 'leads'}</span>
          </span>
        )}
      </h2>
      <ul aria-label={`${label} leads`} className="relative flex min-h-24 flex-col gap-2 overflow-y-auto px-2 pb-2">
        {column.isPending && (
          <li className="rounded-md bg-surface p-3">
            <Skeleton lines={3} />
          </li>
        )}
        {items.map((item) => (
          <li key={item.userBusiness.id}>
            <BoardCard item={item} status={status} statuses={statuses} viewer={viewer} onMove={onMove} />
          </li>
        ))}
        {first && items.length === 0 && <li className="p-3 text-sm text-muted">No leads</li>}
        {column.hasNextPage && (
          <li>
            <MoreButton
              label={label}
              busy={column.isFetchingNextPage}
              onMore={() => !column.isFetchingNextPage && void column.fetchNextPage()}
            />
          </li>
        )}
      </ul>
      {column.isError && (
        <ErrorState title="Leads could not be loaded" onRetry={() => void column.refetch()}>
          {column.error.message}
        </ErrorState>
      )}
    </section>
  );
}

/** Loads more cards when it comes into view, or is pressed. */
function MoreButton({ label, busy, onMore }: { label: string; busy: boolean; onMore: () => void }) {
  const element = useRef<HTMLButtonElement>(null);
  const loadMore = useEffectEvent(onMore);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && loadMore());
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return (
    <Button ref={element} variant="ghost" size="sm" layout="row" busy={busy} onClick={onMore}>
      Show more <span className="sr-only">in {label}</span>
    </Button>
  );
}
