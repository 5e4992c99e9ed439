import { clsx } from 'clsx';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { TodayLead, TodaySection } from '#contract/leads/today/today.calls.ts';
import { parseTown } from '#contract/leads/town.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { useCompleteFollowUp, usePlanFollowUp } from '#web/leads/follow-ups/follow-ups.data.ts';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { TimeChooser } from '#web/leads/follow-ups/TimeChooser.tsx';
import { LeadEmail } from '#web/leads/LeadEmail.tsx';
import { LeadPhone } from '#web/leads/LeadPhone.tsx';
import { directionsUrl, profilePath } from '#web/leads/lead-links.ts';
import { useLatestActivity } from '#web/leads/log/log.data.ts';
import { formatRelativeTime } from '#web/leads/relative-time.ts';
import { WaitingBadge } from '#web/leads/waiting/WaitingBadge.tsx';
import { SwipeRow } from './SwipeRow.tsx';

interface Props {
  lead: TodayLead;
  section: TodaySection;
  selected: boolean;
  onSelect: () => void;
  onLog: () => void;
}

/** A lead of the day, with what can be done without opening it. */
export function TodayRow({ lead: item, section, selected, onSelect, onLog }: Props) {
  const { business, userBusiness: lead, followUp, latestActivity } = item;
  const leadRef = { uuid: lead.uuid };
  const nameId = useId();
  const complete = useCompleteFollowUp(leadRef);
  const plan = usePlanFollowUp(leadRef);
  const [choosing, setChoosing] = useState(false);
  const moveLabel = followUp ? 'Move' : 'Plan follow-up';
  const close = () => setChoosing(false);
  const town = parseTown(business.formattedAddress);
  const lastLine = useLatestActivity(latestActivity) ?? lead.notes.trim().split('\n')[0];

  return (
    <SwipeRow labelledBy={nameId} moveLabel={moveLabel} onLog={onLog} onMove={() => setChoosing(true)}>
      <div className="grid items-center gap-x-4 gap-y-2 md:grid-cols-[minmax(0,1fr)_12rem_8rem_13rem] lg:grid-cols-[minmax(0,1fr)_15rem_8rem_13rem]">
        <div className="flex min-w-0 items-start gap-3">
          <Checkbox label={`Select ${business.name}`} labelHidden checked={selected} onChange={onSelect} />
          <div className="flex min-w-0 flex-col">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <Link
                id={nameId}
                href={profilePath(item)}
                className="hit-area inline-block font-semibold [overflow-wrap:anywhere] hover:underline"
              >
                {business.name}
              </Link>
              {town && <span className="text-sm text-muted">{town}</span>}
              <WaitingBadge uuid={lead.uuid} />
            </p>
            {(followUp?.note || lastLine) && (
              <p className="line-clamp-1 text-sm text-muted">{followUp?.note || lastLine}</p>
            )}
          </div>
        </div>
        <div className="text-sm">
          <Reason item={item} section={section} />
        </div>
        <div className="text-sm">
          <Means item={item} onLog={onLog} />
        </div>
        <div className="flex flex-wrap gap-2 md:justify-end">
          {followUp && (
            <Button
              size="sm"
              aria-describedby={nameId}
              busy={complete.isPending}
              onClick={() => complete.mutate({ followUpId: followUp.id, body: {} })}
            >
              Done
            </Button>
          )}
          <Button variant="secondary" size="sm" aria-describedby={nameId} onClick={onLog}>
            Log
          </Button>
          <Button
            variant="secondary"
            size="sm"
            aria-describedby={nameId}
            aria-expanded={choosing}
            onClick={() => setChoosing(!choosing)}
          >
            {moveLabel}
          </Button>
        </div>
      </div>
      {choosing && (
        <TimeChooser
          label={`When to follow up with ${business.name}`}
          busy={plan.isPending}
          onChoose={(at) =>
            plan.mutate({ ...(followUp && { type: followUp.type, note: followUp.note }), at }, { onSuccess: close })
          }
          dismissLabel="Cancel"
          onDismiss={close}
        />
      )}
    </SwipeRow>
  );
}

/** What the next step needs: the e-mail address, the way there, or the number. */
function Means({ item: { business, userBusiness: lead, followUp }, onLog }: { item: TodayLead; onLog: () => void }) {
  const { email } = lead.customFields;
  const address = business.formattedAddress?.trim();
  if (followUp?.type === 'email' && email) {
    return <LeadEmail business={business} email={email} className={clsx(targetClass, '[overflow-wrap:anywhere]')} />;
  }
  if (followUp?.type === 'meeting' && address) {
    return (
      <SafeLink to={directionsUrl(business.name, address)} className={targetClass}>
        Directions
      </SafeLink>
    );
  }
  return <LeadPhone business={business} className={targetClass} onCall={onLog} />;
}

/** Why the lead is here. */
function Reason({ item: { userBusiness: lead }, section }: { item: TodayLead; section: TodaySection }) {
  const now = new Date();
  if (section === 'new') return <span className="text-muted">Assigned {formatRelativeTime(lead.assignedAt, now)}</span>;
  if ((section === 'quiet' || section === 'loose') && lead.lastContactedAt) {
    return <span className="text-muted">Last contact {formatRelativeTime(lead.lastContactedAt, now)}</span>;
  }
  return <NextStep lead={lead} />;
}
