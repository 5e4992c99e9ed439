import { type LucideIcon, Mail, NotebookPen, Phone, Trash2, Users } from 'lucide-react';
import { useId } from 'react';
import { ACTIVITY_TYPE_LABEL, type Activity, type ActivityType } from '#contract/leads/lead.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { IconButton } from '#web/kit/ui/IconButton.tsx';

const ICON: Record<ActivityType, LucideIcon> = { call: Phone, email: Mail, meeting: Users, note: NotebookPen };

interface Props {
  activity: Activity;
  /** Who wrote it down, where that is known here. */
  author: string | undefined;
  timeZone: string;
  onDelete: (() => void) | undefined;
}

export function ActivityRow({ activity, author, timeZone, onDelete }: Props) {
  const textId = useId();
  const Icon = ICON[activity.type];
  return (
    <li className="flex items-start gap-3 py-4 first:pt-0 last:pb-0">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-pine-soft text-pine-text">
        <Icon aria-hidden="true" className="size-4.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-semibold">{ACTIVITY_TYPE_LABEL[activity.type]}</span>
          <span className="text-muted">
            <time dateTime={activity.createdAt}>{formatDateTime(activity.createdAt, timeZone)}</time>
            {author && ` by ${author}`}
          </span>
        </p>
        <p id={textId} className="mt-0.5 whitespace-pre-wrap [overflow-wrap:anywhere]">
          {activity.description}
        </p>
      </div>
      {onDelete && (
        <IconButton
          icon={Trash2}
          label="Delete activity"
          aria-describedby={textId}
          className="-mt-1 -mr-2 text-muted"
          onClick={onDelete}
        />
      )}
    </li>
  );
}
