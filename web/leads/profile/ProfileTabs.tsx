import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { z } from 'zod';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { timelineFilter } from '#contract/leads/timeline/timeline.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useCommands } from '#web/commands/commands.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';
import { useDraftKeptToast } from '#web/kit/storage/draft-kept.ts';
import { useDraft } from '#web/kit/storage/drafts.ts';
import { Tabs } from '#web/kit/ui/Tabs.tsx';
import { useAssignmentHistory } from '#web/leads/leads.data.ts';
import { logDraftKey } from '#web/leads/log/log.data.ts';
import { Activities } from '#web/leads/profile/history/Activities.tsx';
import { AssignmentHistory } from '#web/leads/profile/history/AssignmentHistory.tsx';
import type { ActivityDraft } from '#web/leads/profile/history/activity-draft.ts';
import { commentDraftKey } from '#web/leads/profile/history/comments.data.ts';
import { Timeline } from '#web/leads/profile/history/Timeline.tsx';
import { NotesEditor } from '#web/leads/profile/notes/NotesEditor.tsx';
import type { Notes } from '#web/leads/profile/notes/notes.data.ts';
import { useUnsavedWarning } from '#web/leads/profile/notes/unsaved-warning.ts';

interface Props {
  leadRef: LeadRef;
  profile: LeadProfile;
  viewer: Viewer;
  notes: Notes;
  activityDraft: ActivityDraft;
  mayChange: boolean;
  timeZone: string;
}

export function ProfileTabs({ leadRef, profile, viewer, notes, activityDraft, mayChange, timeZone }: Props) {
  const { business, userBusiness: lead } = profile;
  const history = useAssignmentHistory(leadRef);
  const logDraft = useDraft(viewer.id, logDraftKey(lead.uuid));
  const commentDraft = useDraft(viewer.id, commentDraftKey(lead.uuid));
  useUnsavedWarning(notes.unsaved || activityDraft.unsaved || logDraft !== undefined || commentDraft !== undefined);
  useDraftKeptToast(
    viewer.id,
    lead.uuid,
    `What you typed for ${business.name} is kept in this tab. Open the business again to save it.`,
  );

  const { tab, show, setTab, setShow } = useTabState();
  const panels = useRef<HTMLDivElement>(null);
  /** The field of the tab, or the tab where the viewer may only read. */
  const openTab = (value: string) => {
    flushSync(() => setTab(value));
    const active = '[data-state="active"]';
    const panel = panels.current;
    const target =
      panel?.querySelector(`[role="tabpanel"]${active} textarea`) ?? panel?.querySelector(`[role="tab"]${active}`);
    if (target instanceof HTMLElement) target.focus();
  };
  useCommands({ writeNotes: () => openTab('notes') });

  const tabs = [
    {
      value: 'activities',
      label: <Label first="Contact" text={`Activities (${lead.contactActivities.length})`} />,
      content: (
        <Activities
          leadRef={leadRef}
          profile={profile}
          draft={activityDraft}
          viewerId={viewer.id}
          mayChange={mayChange}
          timeZone={timeZone}
        />
      ),
    },
    {
      value: 'notes',
      label: lead.notes.trim() === '' ? 'Notes' : 'Notes (1)',
      content: <NotesEditor notes={notes} mayChange={mayChange} />,
    },
    {
      value: 'history',
      label: <Label first="Assignment" text={history.data ? `History (${history.data.length})` : 'History'} />,
      content: <AssignmentHistory history={history} timeZone={timeZone} />,
    },
    {
      value: 'timeline',
      label: 'Timeline',
      // Loaded when it is opened, unlike the other tabs, whose numbers are in their labels.
      content: tab === 'timeline' && <Timeline {...{ leadRef, profile, viewer, show, timeZone }} onShow={setShow} />,
    },
  ];
  return (
    <div ref={panels}>
      <Tabs label="Work on this business" tabs={tabs} value={tab} onValueChange={setTab} keepMounted />
    </div>
  );
}

const tabParams = z.object({
  tab: z.enum(['activities', 'notes', 'history', 'timeline']).catch('activities'),
  show: timelineFilter.catch('all'),
});
type TabState = z.output<typeof tabParams>;
const FIRST_TAB: TabState = { tab: 'activities', show: 'all' };

/** Replaces the history entry: one Back leaves the profile, however many tabs were opened. */
function useTabState() {
  const [state, change] = useUrlState<TabState>(tabParams, FIRST_TAB);
  const set = (changed: Partial<TabState>) => change((current) => ({ ...current, ...changed }), { replace: true });
  return {
    ...state,
    // One of the tabs, which have these names.
    setTab: (tab: string) => set({ tab: tab as TabState['tab'] }),
    setShow: (show: TabState['show']) => set({ show }),
  };
}

/** On narrow screens the first word is visually hidden, so that the tabs fit. */
function Label({ first, text }: { first: string; text: string }) {
  return (
    <>
      <span className="max-sm:sr-only">{first}</span> {text}
    </>
  );
}
