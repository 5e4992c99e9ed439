import { clsx } from 'clsx';
import { MapPinned, Phone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  ACTIVITY_TYPE_LABEL,
  type Activity,
  LEAD_STATUS_LABEL,
  type LeadProfile,
  type LeadStatus,
} from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { ActivityOutcome } from '#contract/leads/log/outcomes.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useCommands } from '#web/commands/commands.ts';
import { useCall } from '#web/contact-rules/barrier.ts';
import { CallButton } from '#web/contact-rules/CheckedLink.tsx';
import { useTextDraft } from '#web/kit/storage/drafts.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button, OutsideButtonLink } from '#web/kit/ui/Button.tsx';
import type { Barrier } from '#web/kit/ui/ContactLink.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { useFollowUp } from '#web/leads/follow-ups/follow-ups.data.ts';
import { NextStep } from '#web/leads/follow-ups/NextStep.tsx';
import { ASKED_NOT_TO_BE_CALLED, AskedNotToBeCalled } from '#web/leads/log/AskedNotToBeCalled.tsx';
import { GOING_ON_MS, type Logged, logDraftKey, useLogContact } from '#web/leads/log/log.data.ts';
import { OutcomeButtons } from '#web/leads/log/OutcomeButtons.tsx';
import { OutcomeLabel } from '#web/leads/log/OutcomeLabel.tsx';
import { listDigits } from '#web/leads/log/outcome-digits.ts';
import { useProposals } from '#web/leads/log/proposals.ts';
import { formatRelativeTime } from '#web/leads/relative-time.ts';
import { findBatchId } from '#web/leads/undo.data.ts';
import { useReturnFromCall } from './use-return-from-call.ts';

const LAST_ACTIVITIES = 3;

interface Props {
  leadRef: LeadRef;
  profile: LeadProfile;
  /** The URL of the way there. */
  directions: string | undefined;
  /** On the way: the way there comes before the number, and what happens in person before the rest. */
  inPerson?: boolean;
  /** Further buttons beside the number and the way there. */
  actions?: ReactNode;
  mayChange: boolean;
  /** The next lead is being opened. */
  leaving?: boolean;
  /** For what takes more than one touch. */
  onLog: () => void;
  /** With the batch that the contact was recorded in. */
  onLogged: (batchId: string | undefined) => void;
}

/** The name of the business and its status, above the panel. */
export function ContactTitle({ status, children }: { status: LeadStatus; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
      {children}
      <Badge>{LEAD_STATUS_LABEL[status]}</Badge>
    </div>
  );
}

/** All that one contact needs on one screen of a phone: how, why, what happened before, and how it went. */
export function ContactPanel(props: Props) {
  const { leadRef, profile, directions, inPerson = false, actions, mayChange } = props;
  const { business, userBusiness: lead } = profile;
  const startCall = useReturnFromCall(lead.uuid, props.onLog);
  const { callable, barrier } = useCall(business);
  const wayThere = directions && (
    <OutsideButtonLink variant={inPerson ? 'primary' : 'secondary'} href={directions}>
      <MapPinned aria-hidden="true" />
      {/* Beside the number there is no room for it on a phone. */}
      <span className={clsx(!inPerson && 'max-sm:sr-only')}>Directions</span>
    </OutsideButtonLink>
  );
  return (
    <>
      <div className="flex flex-wrap items-start gap-2">
        {inPerson && wayThere}
        {actions}
        {callable ? (
          <CallButton
            to={business.phone ?? ''}
            barrier={barrier}
            variant={inPerson ? 'secondary' : 'primary'}
            onOpen={mayChange ? startCall : undefined}
            className="flex-1 text-lg font-semibold sm:flex-none"
          >
            <Phone aria-hidden="true" />
            {business.phone}
          </CallButton>
        ) : (
          <p className="flex-1 py-2 text-sm text-muted">{describeNumber(business, barrier)}</p>
        )}
        {!inPerson && wayThere}
      </div>
      {callable && barrier && <p className="text-sm font-medium text-danger-text">{barrier.reason}</p>}
      <Why leadRef={leadRef} profile={profile} onOther={mayChange ? props.onLog : undefined} />
      <LastActivities profile={profile} />
      {mayChange && <Outcomes key={lead.uuid} {...props} />}
    </>
  );
}

/** Why there is no button to call. */
function describeNumber({ phone, phoneIsWrong }: LeadProfile['business'], barrier: Barrier | undefined) {
  if (!phone) return 'No phone number';
  return barrier && !phoneIsWrong ? `${phone}: ${barrier.reason}` : `${phone} is a wrong number`;
}

interface WhyProps extends Pick<Props, 'leadRef' | 'profile'> {
  onOther: (() => void) | undefined;
}

/** What is planned, and what it is about; and the way to another next step than the outcomes propose. */
function Why({ leadRef, profile: { userBusiness: lead }, onOther }: WhyProps) {
  const { data: followUp } = useFollowUp(leadRef, lead.nextStepAt !== null);
  return (
    <div className="flex items-start justify-between gap-2 text-sm sm:justify-start">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 py-1">
        {lead.nextStepAt ? <NextStep lead={lead} /> : <span className="text-muted">Nothing is planned.</span>}
        {lead.nextStepAt && followUp?.note && <span className="line-clamp-2">{followUp.note}</span>}
      </div>
      {onOther && (
        <Button variant="ghost" size="sm" className="shrink-0" aria-keyshortcuts="l" onClick={onOther}>
          Other step…
        </Button>
      )}
    </div>
  );
}

function LastActivities({ profile: { userBusiness: lead } }: Pick<Props, 'profile'>) {
  const last = lead.contactActivities.slice(0, LAST_ACTIVITIES);
  const note = lead.notes.trim();
  if (!last.length && !note) return null;
  return (
    <div className="flex flex-col gap-0.5 text-sm">
      {last.length > 0 && (
        <ul aria-label="Last activities">
          {last.map((activity) => (
            <LastActivity key={activity.id} activity={activity} />
          ))}
        </ul>
      )}
      {note && <p className="line-clamp-2 text-muted">{note}</p>}
    </div>
  );
}

function LastActivity({ activity: { type, outcome, description, completedAt, createdAt } }: { activity: Activity }) {
  return (
    <li className="truncate">
      <span className="text-muted">{formatRelativeTime(completedAt ?? createdAt, new Date())}</span>{' '}
      <span className="font-medium">{outcome ? <OutcomeLabel outcome={outcome} /> : ACTIVITY_TYPE_LABEL[type]}</span>{' '}
      {description}
    </li>
  );
}

function Outcomes({ leadRef, profile, inPerson = false, leaving = false, onLog, onLogged }: Props) {
  const viewer = useViewer();
  const { uuid } = profile.userBusiness;
  const [note, setNote] = useTextDraft(viewer.id, logDraftKey(uuid));
  const log = useLogContact(leadRef, profile, viewer.id, GOING_ON_MS);
  const { rules, planNext, describeNext } = useProposals(leadRef);
  const [saved, setSaved] = useState(false);

  const goOn = (logged: Logged) => {
    setSaved(true);
    onLogged(findBatchId(logged));
  };
  const save = (outcome: ActivityOutcome) => {
    if (log.isPending || saved || leaving) return;
    const next = planNext(outcome, 'proposed');
    // It needs a time, which the dialog asks for.
    if (outcome === 'call_back' && !next) return onLog();
    log.mutate({ outcome, note: note.trim(), ...(next && { next }) }, { onSuccess: goOn });
  };
  const saveObjection = () => {
    if (log.isPending || saved || leaving) return;
    log.mutate({ ...ASKED_NOT_TO_BE_CALLED, note: note.trim() }, { onSuccess: goOn });
  };
  useCommands(Object.fromEntries(listDigits(rules).map(({ command, outcome }) => [command, () => save(outcome)])));

  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save(inPerson ? 'met_owner' : 'spoke');
      }}
    >
      <TextareaField
        label="Note"
        labelHidden
        rows={1}
        low
        placeholder="What happened?"
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <OutcomeButtons
        rules={rules}
        describeNext={(outcome) => describeNext(outcome, 'proposed')}
        saving={log.isPending && !log.variables.objection ? log.variables.outcome : undefined}
        dense
        inPersonFirst={inPerson}
        onChoose={save}
      />
      <AskedNotToBeCalled dense busy={log.isPending && Boolean(log.variables.objection)} onChoose={saveObjection} />
    </form>
  );
}
