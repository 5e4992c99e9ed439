import { type LucideIcon, Mail, NotebookPen, Phone, Trash2, Users } from 'lucide-react';
import { useId, useRef } from 'react';
import {
  ACTIVITY_TYPE_LABEL,
  type Activity,
  type ActivityType,
  activityType,
  isContact,
  type LeadProfile,
} from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { addActivity } from '#contract/leads/leads.calls.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { CompletedStep } from '#web/leads/follow-ups/CompletedStep.tsx';
import { OutcomeLabel } from '#web/leads/log/OutcomeLabel.tsx';
import { useDeleteActivity } from '#web/leads/profile/profile.data.ts';
import { isWaitingActivity } from '#web/leads/waiting/apply-entries.ts';
import type { ActivityDraft } from './activity-draft.ts';

interface Props {
  leadRef: LeadRef;
  profile: LeadProfile;
  draft: ActivityDraft;
  viewerId: number;
  mayChange: boolean;
  timeZone: string;
}

export function Activities({ leadRef, profile, draft, viewerId, mayChange, timeZone }: Props) {
  const deleteActivity = useDeleteActivity(leadRef);
  const list = useRef<HTMLDivElement>(null);
  const { contactActivities: activities } = profile.userBusiness;

  const confirmDelete = (id: number) => {
    if (!window.confirm('Are you sure you want to delete this activity?')) return;
    deleteActivity.mutate(id);
    // The pressed button disappears with its row.
    list.current?.focus();
  };
  const findAuthor = (userId: number | null) => {
    if (userId === viewerId) return 'you';
    return userId === profile.user.id ? profile.user.fullName : undefined;
  };

  return (
    <div className="flex flex-col gap-6">
      {mayChange && <ActivityForm draft={draft} nextStepAt={profile.userBusiness.nextStepAt} />}
      <div ref={list} tabIndex={-1}>
        {activities.length === 0 && <p className="text-sm text-muted">Nothing recorded yet.</p>}
        {activities.length > 0 && (
          <ul aria-label="Contact activities" className="flex flex-col divide-y divide-line">
            {activities.map((activity) => (
              <ActivityRow
                key={activity.id}
                activity={activity}
                author={findAuthor(activity.createdBy)}
                timeZone={timeZone}
                onDelete={mayChange && !isWaitingActivity(activity) ? () => confirmDelete(activity.id) : undefined}
              />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

const TYPES = activityType.options.map((value) => ({ value, label: ACTIVITY_TYPE_LABEL[value] }));

function ActivityForm({ draft, nextStepAt }: { draft: ActivityDraft; nextStepAt: string | null }) {
  const form = useForm(addActivity.byId.body, { defaults: { type: 'call', notes: '' }, onSubmit: draft.save });
  // The fields are controlled by the draft.
  const { defaultValue: _type, ...type } = form.field('type');
  const { defaultValue: _notes, ...notes } = form.field('notes');
  const busy = form.busy || draft.saving;

  return (
    <Form onSubmit={form.submit} aria-label="Add activity" className="flex flex-col gap-3 rounded-md bg-paper p-4">
      <SelectField
        className="sm:max-w-52"
        label="Activity type"
        options={TYPES}
        {...type}
        value={draft.type}
        onChange={({ target }) => draft.changeType(target.value as ActivityType)}
      />
      <TextareaField
        label="Activity notes"
        rows={3}
        placeholder="What happened?"
        {...notes}
        value={draft.notes}
        onChange={(event) => {
          notes.onChange(event);
          draft.changeNotes(event.target.value);
        }}
      />
      {nextStepAt && isContact(draft.type) && <CompletedStep at={nextStepAt} />}
      <Button type="submit" busy={busy} className="self-end max-sm:w-full">
        {busy ? 'Adding...' : 'Add Activity'}
      </Button>
    </Form>
  );
}

export const ACTIVITY_ICON: Record<ActivityType, LucideIcon> = {
  call: Phone,
  email: Mail,
  meeting: Users,
  note: NotebookPen,
};

interface RowProps {
  activity: Activity;
  /** Undefined where the name of the author is not known here. */
  author: string | undefined;
  timeZone: string;
  onDelete: (() => void) | undefined;
}

function ActivityRow({ activity, author, timeZone, onDelete }: RowProps) {
  const textId = useId();
  const Icon = ACTIVITY_ICON[activity.type];
  return (
    <li className="flex items-start gap-3 py-4 first:pt-0 last:pb-0">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-pine-soft text-pine-text">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div id={textId} className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-semibold">{ACTIVITY_TYPE_LABEL[activity.type]}</span>
          {activity.outcome && (
            <span>
              <OutcomeLabel outcome={activity.outcome} />
            </span>
          )}
          <span className="text-muted">
            <time dateTime={activity.createdAt}>{formatDateTime(activity.createdAt, timeZone)}</time>
            {author && ` by ${author}`}
          </span>
          {isWaitingActivity(activity) && <Badge tone="warn">Waiting</Badge>}
        </p>
        {activity.description && (
          <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{activity.description}</p>
        )}
      </div>
      {onDelete && (
        <IconButton
          icon={Trash2}
          label="Delete activity"
          aria-describedby={textId}
          tone="muted"
          className="-mt-1 -mr-2"
          onClick={onDelete}
        />
      )}
    </li>
  );
}
