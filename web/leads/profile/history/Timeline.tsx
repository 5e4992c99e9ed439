import { clsx } from 'clsx';
import { ArrowRightLeft, type LucideIcon, MessageSquare, PencilLine, Target, Trash2, Undo2 } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { canDeleteComment } from '#contract/leads/comments/comment-policy.ts';
import { CHANGE_SOURCE_LABEL, labelChange, type ShownChange } from '#contract/leads/fields/logged-change.ts';
import { ACTIVITY_TYPE_LABEL, isContact, type LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { TimelineEntry, TimelineFilter } from '#contract/leads/timeline/timeline.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { formatDay, formatTime, nameZone } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { OutcomeLabel } from '#web/leads/log/OutcomeLabel.tsx';
import { WaitingEntries } from '#web/leads/waiting/WaitingEntries.tsx';
import { ACTIVITY_ICON } from './Activities.tsx';
import { CommentForm } from './CommentForm.tsx';
import { useCommentDraft, useDeleteComment } from './comments.data.ts';
import { useTimeline } from './timeline.data.ts';

const FILTERS: { value: TimelineFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'contacts', label: 'Contacts' },
  { value: 'changes', label: 'Changes' },
];
const EMPTY_TEXT: Record<TimelineFilter, string> = {
  all: 'Nothing has happened yet.',
  contacts: 'No contacts yet.',
  changes: 'No changes yet.',
};

interface Props {
  leadRef: LeadRef;
  profile: LeadProfile;
  viewer: Viewer;
  show: TimelineFilter;
  onShow: (show: TimelineFilter) => void;
  timeZone: string;
}

export function Timeline({ leadRef, profile, viewer, show, onShow, timeZone }: Props) {
  const { user: holder, userBusiness: lead } = profile;
  const draft = useCommentDraft(leadRef, lead.uuid, viewer.id);
  return (
    <div className="flex flex-col items-start gap-6">
      <CommentForm
        draft={draft}
        hint={
          holder.id === viewer.id
            ? 'All who commented before are notified.'
            : `${holder.fullName} and all who commented before are notified.`
        }
        onAdded={() => onShow('all')}
      />
      <SegmentedControl label="Show" options={FILTERS} value={show} onValueChange={onShow} />
      <WaitingEntries uuid={lead.uuid} timeZone={timeZone} />
      <Entries leadRef={leadRef} viewer={viewer} show={show} timeZone={timeZone} />
    </div>
  );
}

function Entries({ leadRef, viewer, show, timeZone }: Omit<Props, 'onShow' | 'profile'>) {
  const deleteComment = useDeleteComment();
  const timeline = useTimeline(leadRef, show);
  const list = useRef<HTMLDivElement>(null);

  if (timeline.isPending) {
    return (
      <div role="status" className="w-full">
        <span className="sr-only">Loading timeline…</span>
        <Skeleton lines={6} />
      </div>
    );
  }
  if (!timeline.data) {
    return (
      <div className="w-full">
        <ErrorState title="The timeline could not be loaded" onRetry={() => void timeline.refetch()}>
          {timeline.error.message}
        </ErrorState>
      </div>
    );
  }
  const entries = timeline.data.pages.flatMap(({ items }) => items);
  if (entries.length === 0) return <p className="text-sm text-muted">{EMPTY_TEXT[show]}</p>;

  const showMore = async () => {
    const { hasNextPage } = await timeline.fetchNextPage();
    // The pressed button disappears with the last page.
    if (!hasNextPage) list.current?.focus();
  };
  const confirmDelete = (commentId: number) => {
    if (!window.confirm('Are you sure you want to delete this comment?')) return;
    deleteComment.mutate(commentId);
    // The pressed button disappears with its entry.
    list.current?.focus();
  };
  const onDelete = (entry: TimelineEntry) =>
    entry.kind === 'comment' && canDeleteComment(viewer, entry) ? () => confirmDelete(entry.commentId) : undefined;
  return (
    <div ref={list} tabIndex={-1} className="flex w-full flex-col gap-6">
      {groupByDay(entries, timeZone).map(({ day, entries }) => (
        <Day key={entries[0]?.id} day={day} entries={entries} timeZone={timeZone} onDelete={onDelete} />
      ))}
      <p role="status" className="sr-only">
        {entries.length === 1 ? '1 entry' : `${entries.length} entries`} shown
      </p>
      {timeline.isFetchNextPageError && (
        <Notice tone="danger">Older entries could not be loaded: {timeline.error?.message}</Notice>
      )}
      {timeline.hasNextPage && (
        <Button
          variant="secondary"
          className="self-center"
          busy={timeline.isFetchingNextPage}
          onClick={() => void showMore()}
        >
          Show more
        </Button>
      )}
    </div>
  );
}

/** Entries one after the other on the same day, with its name. */
function groupByDay(entries: TimelineEntry[], timeZone: string) {
  const today = formatDay(new Date().toISOString(), timeZone);
  const groups: { day: string; entries: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const date = formatDay(entry.at, timeZone);
    const day = date === today ? 'Today' : date;
    const last = groups.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else groups.push({ day, entries: [entry] });
  }
  return groups;
}

interface DayProps {
  day: string;
  entries: TimelineEntry[];
  timeZone: string;
  /** Undefined where the viewer may not delete the entry. */
  onDelete: (entry: TimelineEntry) => (() => void) | undefined;
}

function Day({ day, entries, timeZone, onDelete }: DayProps) {
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-sm font-semibold text-muted">{day}</h3>
      <ol aria-label={day} className="flex flex-col gap-4">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} timeZone={timeZone} onDelete={onDelete(entry)} />
        ))}
      </ol>
    </section>
  );
}

interface EntryProps {
  entry: TimelineEntry;
  timeZone: string;
  onDelete: (() => void) | undefined;
}

function Entry({ entry, timeZone, onDelete }: EntryProps) {
  const textId = useId();
  const { icon: Icon, title, detail, text, contact = false } = describe(entry, timeZone);
  return (
    <li className="flex items-start gap-3 [overflow-wrap:anywhere]">
      <span
        className={clsx(
          'grid size-9 shrink-0 place-items-center rounded-full',
          contact ? 'bg-pine-soft text-pine-text' : 'bg-sunken text-muted',
        )}
      >
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div id={textId} className="min-w-0 flex-1 text-sm">
        <p>
          <span className="font-semibold">{title}</span> {detail}
        </p>
        <p className="text-muted">
          <time dateTime={entry.at}>{formatTime(entry.at, timeZone)}</time>
          {entry.user && ` by ${entry.user}`}
          {entry.program ? (
            <>
              , through <i>{entry.program}</i>
            </>
          ) : (
            entry.kind === 'change' && entry.source !== 'profile' && ` ${CHANGE_SOURCE_LABEL[entry.source]}`
          )}
        </p>
        {text && <p className="mt-1 text-base whitespace-pre-wrap">{text}</p>}
      </div>
      {onDelete && (
        <IconButton
          icon={Trash2}
          label="Delete comment"
          aria-describedby={textId}
          tone="muted"
          className="-mt-1 -mr-2"
          onClick={onDelete}
        />
      )}
    </li>
  );
}

interface Description {
  icon: LucideIcon;
  title: string;
  /** After the title, on the same line. */
  detail?: ReactNode;
  /** What a user typed. */
  text?: string | null;
  contact?: boolean;
}

function describe(entry: TimelineEntry, timeZone: string): Description {
  switch (entry.kind) {
    case 'activity':
      return {
        icon: ACTIVITY_ICON[entry.type],
        title: ACTIVITY_TYPE_LABEL[entry.type],
        detail: <OutcomeLabel outcome={entry.outcome} />,
        text: entry.description,
        contact: isContact(entry.type),
      };
    case 'assignment': {
      const { previous, next, imported, notes } = entry;
      const initial = imported ? `Imported and assigned to ${next}` : `Initially assigned to ${next}`;
      const title = previous === null ? initial : `Reassigned from ${previous} to ${next}`;
      return { icon: ArrowRightLeft, title, text: notes };
    }
    case 'comment':
      return { icon: MessageSquare, title: 'Comment', text: entry.text };
    case 'credit': {
      const goal = `${entry.holder}'s goal`;
      const title = entry.counted ? `Counts toward ${goal}` : `Does not count toward ${goal}: existing customer`;
      return { icon: Target, title, contact: true };
    }
    case 'change': {
      const { before, after } = entry.change;
      const change = { ...entry.change, before: nameZone(before, timeZone), after: nameZone(after, timeZone) };
      const { title, detail } = entry.done ? describeDone(change) : describeChange(change);
      return entry.undo ? { icon: Undo2, title: `Undone: ${title}`, detail } : { icon: PencilLine, title, detail };
    }
  }
}

/** "Follow-up done Call, Nov 18, 2026, 15:05"; where the next one was planned with it, also "next: …". */
const describeDone = ({ before, after, ...change }: ShownChange) => ({
  title: `${labelChange(change)} done`,
  detail: after === null ? before : `${before}, next: ${after}`,
});

/** "Status New → Recontact", "Tag added hot", "Notes saved". */
function describeChange({ before, after, ...change }: ShownChange): { title: string; detail?: ReactNode } {
  const label = labelChange(change);
  if (before === after) return { title: `${label} saved` };
  if (before === null) return { title: `${label} added`, detail: after };
  if (after === null) return { title: `${label} removed`, detail: before };
  return {
    title: label,
    detail: (
      <>
        <span className="sr-only">from </span>
        {before} <span aria-hidden="true">→ </span>
        <span className="sr-only">to </span>
        {after}
      </>
    ),
  };
}
