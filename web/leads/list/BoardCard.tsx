import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { clsx } from 'clsx';
import { MoveRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { LEAD_STATUS_LABEL, type LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Menu, MenuGroup, MenuItem } from '#web/kit/ui/Menu.tsx';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { profilePath } from '#web/leads/lead-links.ts';
import { formatRelativeTime } from '#web/leads/relative-time.ts';

interface Props {
  item: ListedLead;
  /** The column that it is in. */
  status: LeadStatus;
  statuses: LeadStatus[];
  viewer: Viewer;
  onMove: (item: ListedLead, to: LeadStatus) => void;
}

export function BoardCard({ item, status, statuses, viewer, onMove }: Props) {
  const { business, userBusiness: lead, user } = item;
  const nameId = useId();
  const element = useRef<HTMLElement>(null);
  const [dragged, setDragged] = useState(false);
  const mayChange = canChangeLead(viewer, lead);
  useEffect(() => {
    if (!element.current || !mayChange) return;
    return draggable({
      element: element.current,
      getInitialData: () => ({ item }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [item, mayChange]);

  return (
    <article
      ref={element}
      aria-labelledby={nameId}
      className={clsx(
        'flex flex-col gap-1 rounded-md border bg-surface p-3 text-sm shadow-card',
        lead.viewed ? 'border-line' : 'border-new',
        mayChange && 'cursor-grab',
        dragged && 'opacity-50',
      )}
    >
      <div className="flex items-start justify-between gap-1">
        <h3 id={nameId} className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          <Link href={profilePath(item)} draggable={false} className="hit-area inline-block hover:underline">
            {business.name}
          </Link>
        </h3>
        {mayChange && (
          <Menu trigger={<IconButton icon={MoveRight} size="sm" tone="muted" label={`Move ${business.name} to…`} />}>
            <MenuGroup label="Move to">
              {statuses
                .filter((other) => other !== status)
                .map((other) => (
                  <MenuItem key={other} onSelect={() => onMove(item, other)}>
                    {LEAD_STATUS_LABEL[other]}
                  </MenuItem>
                ))}
            </MenuGroup>
          </Menu>
        )}
      </div>
      <NextStep lead={lead} />
      <p className="text-muted">
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
}
