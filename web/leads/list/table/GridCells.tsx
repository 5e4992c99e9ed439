import { ClipboardPen, ExternalLink, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { DETAIL_OF_COLUMN, type DetailColumn, isDetailColumn } from '#contract/leads/fields/detail-fields.ts';
import type { TableColumnId } from '#contract/leads/fields/lead-fields.ts';
import { isReadOnlyColumn, READ_ONLY_OF_COLUMN, type ReadOnlyColumn } from '#contract/leads/fields/read-only-fields.ts';
import { IMPORTED_TAG } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { CheckedIcon } from '#web/contact-rules/CheckedLink.tsx';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { LeadPhone } from '#web/leads/LeadPhone.tsx';
import { DETAIL_VIEWS, showReadOnlyCell } from '#web/leads/lead-field-views.tsx';
import { formatWebsite, profilePath } from '#web/leads/lead-links.ts';
import { LeadBadges, StatusBadge } from '#web/leads/list/LeadBadges.tsx';
import { WhyFound } from '#web/leads/list/WhyFound.tsx';
import { OwnValueText } from '#web/leads/own-field-views.tsx';
import { TypeOfBusiness } from '#web/leads/TypeOfBusiness.tsx';
import type { EditableColumn } from './grid.data.ts';
import type { ChosenColumn } from './grid-columns.ts';

const WORKING = ['status', 'tags', 'phone', 'website'] as const;

/** Undefined where a cell cannot be edited. */
export const toEditable = ({ id, field }: ChosenColumn): EditableColumn | undefined =>
  field ?? (isDetailColumn(id) ? id : WORKING.find((column) => column === id));

/** What the cells of columns show that are neither details nor read-only. A column without an entry does not compile. */
const CELLS: Record<Exclude<TableColumnId, DetailColumn | ReadOnlyColumn>, (item: ListedLead) => ReactNode> = {
  name: (item) => (
    <>
      <span className="flex items-center gap-2">
        <Link href={profilePath(item)} className="hit-area min-w-0 truncate font-semibold hover:underline">
          {item.business.name}
        </Link>
        <LeadBadges lead={item.userBusiness} />
      </span>
      <WhyFound match={item.match} className="truncate" />
    </>
  ),
  holder: ({ user }) => user.fullName || user.username,
  status: ({ userBusiness: lead }) => <StatusBadge status={lead.status} />,
  next: ({ userBusiness: lead }) => <NextStep lead={lead} />,
  tags: ({ userBusiness: lead }) => (
    <span className="flex gap-1">
      {lead.tags
        .filter((tag) => tag !== IMPORTED_TAG)
        .map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
    </span>
  ),
  phone: ({ business }) => <LeadPhone business={business} />,
  website: ({ business }) =>
    business.website && <SafeLink to={business.website}>{formatWebsite(business.website)}</SafeLink>,
  address: ({ business }) => business.formattedAddress,
  type: ({ business }) => <TypeOfBusiness business={business} />,
};

/** What a cell shows; nothing where the lead has no such value. */
export function CellValue({ item, column: { id, field } }: { item: ListedLead; column: ChosenColumn }) {
  const { userBusiness: lead } = item;
  if (field) {
    const value = lead.ownFields[field.id];
    return value === undefined ? null : <OwnValueText field={field} value={value} oneLine />;
  }
  const column = id as TableColumnId; // `parseColumns` knows no others
  if (isDetailColumn(column)) {
    const key = DETAIL_OF_COLUMN[column];
    const value = lead.customFields[key];
    return value ? DETAIL_VIEWS[key].show(value, item.business) : null;
  }
  if (isReadOnlyColumn(column)) return showReadOnlyCell(lead, READ_ONLY_OF_COLUMN[column]);
  return CELLS[column](item);
}

/** Call, Log and Open, with the browser's own tooltips: others would make a long table slow to draw. */
export function RowActions({ item, viewer, onLog }: { item: ListedLead; viewer: Viewer; onLog: () => void }) {
  const { business, userBusiness: lead } = item;
  const actionClass = 'hit-area grid size-9 place-items-center rounded-md hover:bg-sunken sm:size-8 [&>svg]:size-5';
  return (
    <span className="flex items-center">
      {business.phone && !business.phoneIsWrong && (
        <CheckedIcon
          means="call"
          to={business.phone}
          objections={business.objections}
          label={`Call ${business.name}`}
          title="Call"
          className={actionClass}
          onOpen={onLog}
        >
          <Phone aria-hidden="true" />
        </CheckedIcon>
      )}
      {canChangeLead(viewer, lead) && (
        <button
          type="button"
          aria-label={`Log a contact with ${business.name}`}
          title="Log a contact"
          className={actionClass}
          onClick={onLog}
        >
          <ClipboardPen aria-hidden="true" />
        </button>
      )}
      <Link href={profilePath(item)} aria-label={`Open ${business.name}`} title="Open" className={actionClass}>
        <ExternalLink aria-hidden="true" />
      </Link>
    </span>
  );
}
