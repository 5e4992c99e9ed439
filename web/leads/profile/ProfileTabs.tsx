import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import type { Viewer } from '#contract/users/user.ts';
import { Tabs } from '#web/kit/ui/Tabs.tsx';
import { useAssignmentHistory } from '#web/leads/lead-reads.data.ts';
import { Activities } from './Activities.tsx';
import { AssignmentHistory } from './AssignmentHistory.tsx';
import { readUnsavedText, useActivityDraft } from './activity-draft.ts';
import { NotesEditor } from './NotesEditor.tsx';
import { useNotes } from './notes.data.ts';
import { useUnsavedWarning } from './unsaved-warning.ts';

interface Props {
  name: LeadRef;
  profile: LeadProfile;
  viewer: Viewer;
  mayChange: boolean;
  timeZone: string;
}

export function ProfileTabs({ name, profile, viewer, mayChange, timeZone }: Props) {
  const { business, userBusiness: lead } = profile;
  const history = useAssignmentHistory(name);
  // Here and not in their tabs, so that saving goes on and the warning holds while another tab is open.
  const notes = useNotes(name, lead, viewer.id);
  const activity = useActivityDraft(name, lead.uuid, viewer.id);
  const isKept = () => readUnsavedText(viewer.id, lead.uuid) !== '';
  useUnsavedWarning(notes.unsaved || activity.unsaved, isKept, business.name);

  const tabs = [
    {
      value: 'activities',
      label: <Label first="Contact" text={`Activities (${lead.contactActivities.length})`} />,
      content: (
        <Activities
          name={name}
          profile={profile}
          activity={activity}
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
  ];
  return <Tabs label="Work on this business" tabs={tabs} />;
}

/** On a narrow screen the first word is only read, so that all three tabs are in sight. */
function Label({ first, text }: { first: string; text: string }) {
  return (
    <>
      <span className="max-sm:sr-only">{first}</span> {text}
    </>
  );
}
