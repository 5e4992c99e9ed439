import { clsx } from 'clsx';
import { MoveRight } from 'lucide-react';
import { memo, useId } from 'react';
import { Link } from 'wouter';
import { IMPORTED_TAG, type LeadStatus } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { formatValue, type OwnField, type OwnValues } from '#contract/leads/own-fields/own-field.ts';
import { parseTown } from '#contract/leads/town.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { LeadPhone } from '#web/leads/LeadPhone.tsx';
import { profilePath } from '#web/leads/lead-links.ts';
import { StatusMenu } from '#web/leads/list/StatusMenu.tsx';
import { WhyFound } from '#web/leads/list/WhyFound.tsx';
import { formatRelativeTime } from '#web/leads/relative-time.ts';
import { TypeOfBusiness } from '#web/leads/TypeOfBusiness.tsx';

/** Every card has the same height, so that those that are not drawn have a place. */
export const CARD_ROW_REM = 10.5;

/** With two lines more for the fields of the team's own. */
export const toCardRowRem = (fields: OwnField[]) => CARD_ROW_REM + (fields.length ? 2.5 : 0);
export const toCardHeight = (fields: OwnField[]) => (fields.length ? 'h-50' : 'h-40');

interface Props {
  item: ListedLead;
  /** The column that it is in. */
  status: LeadStatus;
  /** What it can be moved to by its menu. */
  targets: LeadStatus[];
  viewer: Viewer;
  /** The team's own that are shown on cards. */
  fields: OwnField[];
  onMove: (item: ListedLead, to: LeadStatus) => void;
}

export const BoardCard = memo(function BoardCard({ item, status, targets, viewer, fields, onMove }: Props) {
  const { business, userBusiness: lead, user } = item;
  const nameId = useId();
  const town = parseTown(business.formattedAddress);
  const mayChange = canChangeLead(viewer, lead);
  return (
    <article
      aria-labelledby={nameId}
      data-card={mayChange ? lead.id : undefined}
      className={clsx(
        'relative flex flex-col gap-1 rounded-md border bg-surface px-3 py-2.5 text-sm shadow-card',
        toCardHeight(fields),
        'hover:border-control data-dragged:opacity-50',
        lead.viewed ? 'border-line' : 'border-new',
        mayChange && 'cursor-grab touch-manipulation select-none [-webkit-touch-callout:none]',
      )}
    >
      <div className="flex items-start justify-between gap-1">
        <h3 id={nameId} className="line-clamp-2 min-w-0 font-semibold [overflow-wrap:anywhere]">
          <Link
            href={profilePath(item)}
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
      <CardTags tags={lead.tags} />
      <CardFields fields={fields} values={lead.ownFields} />
      <p className="mt-auto truncate">
        {lead.nextStepAt ? <NextStep lead={lead} /> : <span className="text-muted">No follow-up</span>}
      </p>
      <WhyFound match={item.match} className="truncate" />
      <p className={clsx('truncate text-muted', item.match && 'sr-only')}>
        {lead.lastContactedAt ? (
          <time dateTime={lead.lastContactedAt}>
            Last contact {formatRelativeTime(lead.lastContactedAt, new Date())}
          </time>
        ) : (
          'No contact yet'
        )}
        {user.id !== viewer.id && ` · ${user.fullName || user.username}`}
      </p>
      {/* Last: on phones it reaches as far around itself as a finger needs, and the name does too. */}
      {(town || business.type || business.phone) && (
        <p className="flex min-w-0 gap-x-2 text-muted">
          {(business.type || town) && (
            <span className="truncate">
              {business.type && <TypeOfBusiness business={business} />}
              {business.type && town && ' · '}
              {town}
            </span>
          )}
          <LeadPhone business={business} className="hit-area z-10 shrink-0 whitespace-nowrap" />
        </p>
      )}
    </article>
  );
});

interface MoveMenuProps {
  name: string;
  statuses: LeadStatus[];
  onMove: (to: LeadStatus) => void;
}

const MoveMenu = ({ name, statuses, onMove }: MoveMenuProps) => (
  <StatusMenu
    label="Move to"
    statuses={statuses}
    onSelect={onMove}
    button={
      <button
        type="button"
        aria-label={`Move ${name} to…`}
        title="Move to…"
        className="hit-area z-10 grid size-9 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken sm:size-8 [&>svg]:size-5"
      >
        <MoveRight aria-hidden="true" />
      </button>
    }
  />
);

/** The values in two lines; a tooltip has all. */
function CardFields({ fields, values }: { fields: OwnField[]; values: OwnValues }) {
  const { data: team } = useSettings();
  if (!team) return null;
  const texts = fields.flatMap((field) => {
    const value = values[field.id];
    return value === undefined ? [] : [`${field.name}: ${formatValue(field, value, team)}`];
  });
  if (!texts.length) return null;
  const text = texts.join(' · ');
  return (
    <p className="line-clamp-2 shrink-0 [overflow-wrap:anywhere]" title={text}>
      {text}
    </p>
  );
}

const MAX_TAGS = 2;

/** The first tags; a tooltip has all. */
function CardTags({ tags }: { tags: string[] }) {
  const own = tags.filter((tag) => tag !== IMPORTED_TAG);
  if (!own.length) return null;
  return (
    <p className="flex min-w-0 gap-1 overflow-hidden" title={own.join(', ')}>
      {own.slice(0, MAX_TAGS).map((tag) => (
        <span key={tag} className="min-w-12 truncate rounded-sm bg-sunken px-1.5 text-xs leading-5">
          {tag}
        </span>
      ))}
      {own.length > MAX_TAGS && <span className="shrink-0 text-xs leading-5 text-muted">+{own.length - MAX_TAGS}</span>}
    </p>
  );
}
