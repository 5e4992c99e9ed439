import { clsx } from 'clsx';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isClosed, LEAD_STATUS_LABEL, type LeadStatus, leadStatus, PIPELINE } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Notice } from '#web/kit/ui/Notice.tsx';
import type { Offer } from '#web/leads/list/bulk/FollowUpOffer.tsx';
import { useStatuses } from '#web/leads/list/list.data.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import { BoardColumn } from './BoardColumn.tsx';
import { boardStatuses, useMoveLead } from './board.data.ts';
import { preventScrollWhileDragging } from './drag-card.ts';

interface Props {
  state: ListState;
  /** Something is to be offered for the lead that was moved. */
  onOffer: (offer: Offer) => void;
}

/** The leads by status, in columns. Cards are dragged, or moved with their menu. */
export function LeadBoard({ state, onOffer }: Props) {
  const viewer = useViewer();
  const all = useStatuses(state);
  const columns = boardStatuses(state, all);
  // Also those without a column: a lead can be closed while closed ones are hidden.
  const targets = useStableStatuses(PIPELINE.filter((status) => all.includes(status)));
  const [announcement, setAnnouncement] = useState('');
  const [over, setOver] = useState<LeadStatus>();
  const { pending, move } = useMoveLead(({ item, to }) => {
    setAnnouncement(`${item.business.name} moved to ${LEAD_STATUS_LABEL[to]}`);
    const offer = offerAfter(item, to);
    if (offer) onOffer(offer);
  });
  const moveTo = useCallback(
    (item: ListedLead, to: LeadStatus) => {
      if (item.userBusiness.status !== to) move({ item, to });
    },
    [move],
  );
  const board = useRef<HTMLDivElement>(null);
  useEffect(() => (board.current ? preventScrollWhileDragging(board.current) : undefined), []);
  return (
    <div className="flex flex-col gap-3">
      {(state.existing || state.customers) && <Notice>Existing customers are not on the board.</Notice>}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {/* Outside of what is scrolled sideways, so that they can always be reached. */}
      {state.status.length === 0 && state.hideClosed && <ClosedTargets over={over} />}
      {/* Relative: what is visually hidden in a column must not widen the page. */}
      <div
        ref={board}
        data-scroll="board"
        className="relative -mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-3"
      >
        {columns.map((status) => (
          <BoardColumn
            key={status}
            status={status}
            targets={targets}
            state={state}
            viewer={viewer}
            pending={pending}
            over={over === status}
            onMove={moveTo}
            onDragOver={setOver}
          />
        ))}
      </div>
    </div>
  );
}

/** Where a card is dropped to close its lead while closed leads are hidden. Its menu does the same. */
const ClosedTargets = ({ over }: { over: LeadStatus | undefined }) => (
  <div aria-hidden="true" className="grid grid-cols-2 gap-3 text-center text-sm text-muted sm:w-144 sm:max-w-full">
    {PIPELINE.filter(isClosed).map((status) => (
      <div
        key={status}
        data-status={status}
        className={clsx(
          'grid min-h-11 content-center rounded-lg border border-dashed px-3 py-1',
          over === status ? 'border-pine bg-pine-soft text-pine-text ring-2 ring-pine' : 'border-control',
        )}
      >
        <span>
          Drop here for <span className="font-semibold whitespace-nowrap">{LEAD_STATUS_LABEL[status]}</span>
        </span>
      </div>
    ))}
  </div>
);

/** The same array while its content is the same, so that a drag does not draw every card again. */
function useStableStatuses(statuses: LeadStatus[]): LeadStatus[] {
  const text = statuses.join();
  return useMemo(() => leadStatus.array().parse(text.split(',')), [text]);
}

/** As after a change of status elsewhere: a date for a lead to contact again, or to drop what is planned on a closed one. */
function offerAfter({ userBusiness: { id, nextStepAt } }: ListedLead, to: LeadStatus): Offer | undefined {
  if (to === 'recontact' && !nextStepAt) return { action: 'plan', ids: [id] };
  return isClosed(to) && nextStepAt ? { action: 'drop', ids: [id] } : undefined;
}
