import { ClipboardPen, ExternalLink, Phone } from 'lucide-react';
import { Link } from 'wouter';
import { DETAIL_OF_COLUMN, isDetailColumn } from '#contract/leads/fields/detail-fields.ts';
import { isReadOnlyColumn, READ_ONLY_OF_COLUMN } from '#contract/leads/fields/read-only-fields.ts';
import { IMPORTED_TAG } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { toTelUrl } from '#web/kit/links.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { LeadPhone } from '#web/leads/LeadPhone.tsx';
import { DETAIL_VIEWS, showReadOnlyCell } from '#web/leads/lead-field-views.tsx';
import { formatWebsite, profilePath } from '#web/leads/lead-links.ts';
import { LeadBadges, StatusBadge } from '#web/leads/list/LeadBadges.tsx';
import { WhyFound } from '#web/leads/list/WhyFound.tsx';
import type { EditableColumn } from './grid.data.ts';
import type { GridColumn } from './grid-columns.ts';

const EDITABLE: readonly string[] = ['status', 'tags', 'phone', 'website'] satisfies EditableColumn[];

export const isEditable = (column: string): column is EditableColumn =>
  EDITABLE.includes(column) || isDetailColumn(column);

/** What a cell shows; nothing where the lead has no such value. */
export function CellValue({ item, column }: { item: ListedLead; column: GridColumn | 'name' }) {
  const { business, userBusiness: lead, user } = item;
  if (isDetailColumn(column)) {
    const key = DETAIL_OF_COLUMN[column];
    const value = lead.customFields[key];
    return value ? DETAIL_VIEWS[key].show(value) : null;
  }
  if (isReadOnlyColumn(column)) return showReadOnlyCell(lead, READ_ONLY_OF_COLUMN[column]);
  switch (column) {
    case 'name':
      return (
        <>
          <span className="flex items-center gap-2">
            <Link href={profilePath(item)} className="hit-area min-w-0 truncate font-semibold hover:underline">
              {business.name}
            </Link>
            <LeadBadges lead={lead} />
          </span>
          <WhyFound match={item.match} className="truncate" />
        </>
      );
    case 'holder':
      return user.fullName || user.username;
    case 'status':
      return <StatusBadge status={lead.status} />;
    case 'next':
      return <NextStep lead={lead} />;
    case 'tags':
      return (
        <span className="flex gap-1">
          {lead.tags
            .filter((tag) => tag !== IMPORTED_TAG)
            .map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
        </span>
      );
    case 'phone':
      return <LeadPhone business={business} />;
    case 'website':
      return business.website ? <SafeLink to={business.website}>{formatWebsite(business.website)}</SafeLink> : null;
    case 'address':
      return business.formattedAddress;
  }
}

/** Call, Log and Open, with the browser's own tooltips: others would make a long table slow to draw. */
export function RowActions({ item, viewer, onLog }: { item: ListedLead; viewer: Viewer; onLog: () => void }) {
  const { business, userBusiness: lead } = item;
  const telUrl = business.phone && !business.phoneIsWrong ? toTelUrl(business.phone) : undefined;
  const actionClass = 'hit-area grid size-9 place-items-center rounded-md hover:bg-sunken sm:size-8 [&>svg]:size-5';
  return (
    <span className="flex items-center">
      {telUrl && (
        <a href={telUrl} aria-label={`Call ${business.name}`} title="Call" className={actionClass} onClick={onLog}>
          <Phone aria-hidden="true" />
        </a>
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
