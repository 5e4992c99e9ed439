import { useRef } from 'react';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useDeleteActivity } from '#web/leads/leads.data.ts';
import { ActivityForm } from './ActivityForm.tsx';
import { ActivityRow } from './ActivityRow.tsx';
import type { ActivityDraft } from './activity-draft.ts';

interface Props {
  name: LeadRef;
  profile: LeadProfile;
  activity: ActivityDraft;
  viewerId: number;
  mayChange: boolean;
  timeZone: string;
}

export function Activities({ name, profile, activity: draft, viewerId, mayChange, timeZone }: Props) {
  const remove = useDeleteActivity(name);
  const list = useRef<HTMLDivElement>(null);
  const { contactActivities: activities } = profile.userBusiness;

  const ask = (id: number) => {
    if (!window.confirm('Are you sure you want to delete this activity?')) return;
    remove.mutate(id);
    // The button that was pressed goes away with its row.
    list.current?.focus();
  };
  const authorOf = (id: number | null) => {
    if (id === viewerId) return 'you';
    return id === profile.user.id ? profile.user.fullName : undefined;
  };

  return (
    <div className="flex flex-col gap-6">
      {mayChange && <ActivityForm activity={draft} />}
      <div ref={list} tabIndex={-1}>
        {activities.length === 0 && <p className="text-sm text-muted">Nothing recorded yet.</p>}
        {activities.length > 0 && (
          <ul aria-label="Contact activities" className="flex flex-col divide-y divide-line">
            {activities.map((activity) => (
              <ActivityRow
                key={activity.id}
                activity={activity}
                author={authorOf(activity.createdBy)}
                timeZone={timeZone}
                onDelete={mayChange ? () => ask(activity.id) : undefined}
              />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
