import { clsx } from 'clsx';
import { MoveRight } from 'lucide-react';
import { cloneElement, memo, useId, useState } from 'react';
import { Link } from 'wouter';
import { LEAD_STATUS_LABEL, type LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { Menu, MenuGroup, MenuItem } from '#web/kit/ui/Menu.tsx';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { profilePath } from '#web/leads/lead-links.ts';
import { formatRelativeTime } from '#web/leads/relative-time.ts';

/** Every card has the same height, so that those that are not drawn have a place. */
export const CARD_ROW_REM = 7.5;

interface Props {
  item: ListedLead;
  /** The column that it is in. */
  status: LeadStatus;
  /** What it can be moved to by its menu. */
  targets: LeadStatus[];
  viewer: Viewer;
  onMove: (item: ListedLead, to: LeadStatus) => void;
}

export const BoardCard = memo(function BoardCard({ item, status, targets, viewer, onMove }: Props) {
  const { business, userBusiness: lead, user } = item;
  const nameId = useId();
  const mayChange = canChangeLead(viewer, lead);
  return (
    <article
      aria-labelledby={nameId}
      data-card={mayChange ? lead.id : undefined}
      className={clsx(
        'relative flex h-28 flex-col gap-1 rounded-md border bg-surface px-3 py-2.5 text-sm shadow-card',
        'hover:border-control data-dragged:opacity-50',
        lead.viewed ? 'border-line' : 'border-new',
        mayChange && 'cursor-grab touch-manipulation select-none [-webkit-touch-callout:none]',
      )}
    >
      <div className="flex items-start justify-between gap-1">
        <h3 id={nameId} className="line-clamp-2 min-w-0 font-semibold [overflow-wrap:anywhere]">
          <Link
            href={profilePath(item)}
            draggable={false}
            title={business.name}
            // All of the card opens the lead.
            className="after:absolute after:inset-0 hover:underline"
          >
            {business.name}
          </Link>
        </h3>
        {mayChange && (
          <MoveMenu
            name={business.name}
            statuses={targets.filter((other) => other !== status)}
            onMove={(to) => onMove(item, to)}
          />
        )}
      </div>
      <p className="mt-auto truncate">
        {lead.nextStepAt ? <NextStep lead={lead} /> : <span className="text-muted">No follow-up</span>}
      </p>
      <p className="truncate text-muted">
        {lead.lastContactedAt ? (
          <time dateTime={lead.lastContactedAt}>
            Last contact {formatRelativeTime(lead.lastContactedAt, new Date())}
          </time>
        ) : (
          'No contact yet'
        )}
        {user.id !== viewer.id && ` · ${user.fullName || user.username}`}
      </p>
    </article>
  );
});

interface MoveMenuProps {
  name: string;
  statuses: LeadStatus[];
  onMove: (to: LeadStatus) => void;
}

/** A plain button until it is pressed: a menu for every card would make scrolling slow. */
function MoveMenu({ name, statuses, onMove }: MoveMenuProps) {
  const [used, setUsed] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={`Move ${name} to…`}
      title="Move to…"
      className="hit-area z-10 grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken sm:size-8 [&>svg]:size-5"
    >
      <MoveRight aria-hidden="true" />
    </button>
  );
  if (!used) return cloneElement(button, { 'aria-haspopup': 'menu', onClick: () => setUsed(true) });
  return (
    <Menu defaultOpen trigger={button}>
      <MenuGroup label="Move to">
        {statuses.map((status) => (
          <MenuItem key={status} onSelect={() => onMove(status)}>
            {LEAD_STATUS_LABEL[status]}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}
