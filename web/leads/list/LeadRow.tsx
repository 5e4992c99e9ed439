// biome-ignore-all lint/a11y/noRedundantRoles: Safari forgets what a table is when its rows are laid out as cards
import { clsx } from 'clsx';
import { useId } from 'react';
import { Link } from 'wouter';
import { formatDate } from '#web/kit/format.ts';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { LeadMarks, StatusBadge } from './LeadBadges.tsx';
import type { LeadRowProps } from './LeadCard.tsx';
import { LeadActions, profileOf } from './LeadLinks.tsx';

const cell = 'md:px-4 md:py-2.5 md:align-middle';
const labelled =
  'max-md:col-start-2 max-md:text-sm max-md:before:mr-2 max-md:before:text-muted max-md:before:content-[attr(data-label)]';

interface Props extends Omit<LeadRowProps, 'now'> {
  timeZone: string | undefined;
}

export function LeadRow({ item, timeZone, selected, onSelect, highlighted }: Props) {
  const nameId = useId();
  const { business, userBusiness: lead, user } = item;

  return (
    <tr
      role="row"
      data-highlighted={highlighted || undefined}
      className={clsx(
        'max-md:grid max-md:grid-cols-[auto_minmax(0,1fr)] max-md:gap-x-3 max-md:gap-y-1.5 max-md:rounded-lg max-md:border',
        'max-md:bg-surface max-md:p-4 max-md:shadow-card',
        lead.viewed ? 'max-md:border-line' : 'max-md:border-awning md:shadow-[inset_3px_0_var(--color-awning)]',
        highlighted ? 'bg-pine-soft' : selected ? 'bg-paper' : 'md:hover:bg-paper',
        highlighted && 'max-md:ring-3 max-md:ring-pine',
      )}
    >
      <td role="cell" className="md:w-10 md:py-2.5 md:pl-4">
        <Checkbox label={`Select ${business.name}`} labelHidden checked={selected} onChange={onSelect} />
      </td>
      <td role="cell" className={cell}>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link
            id={nameId}
            href={profileOf(item)}
            className="font-semibold [overflow-wrap:anywhere] hover:underline max-md:text-base"
          >
            {business.name}
          </Link>
          <LeadMarks lead={lead} />
        </div>
        {business.formattedAddress && (
          <p className="mt-0.5 text-xs text-muted [overflow-wrap:anywhere]">{business.formattedAddress}</p>
        )}
      </td>
      <td role="cell" data-label="Assigned to" className={clsx(cell, labelled)}>
        {user.fullName || user.username}
      </td>
      <td role="cell" className={clsx(cell, 'whitespace-nowrap max-md:col-start-2')}>
        <StatusBadge status={lead.status} />
      </td>
      <td role="cell" data-label="Assigned on" className={clsx(cell, labelled, 'whitespace-nowrap')}>
        <TeamTime at={lead.assignedAt} timeZone={timeZone} format={formatDate} className="min-w-[12ch]" />
      </td>
      <td
        role="cell"
        className={clsx(cell, 'max-md:col-start-2 max-md:mt-1.5 md:[&>div]:flex-nowrap md:[&>div]:justify-end')}
      >
        <LeadActions item={item} describedBy={nameId} look="secondary" />
      </td>
    </tr>
  );
}
