import { ACTIVITY_TYPE_LABEL, type ActivityType, activityType } from '#contract/leads/lead.ts';
import { addActivity } from '#contract/leads/leads.calls.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/Input.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';
import type { ActivityDraft } from './activity-draft.ts';

const TYPES = activityType.options.map((value) => ({ value, label: ACTIVITY_TYPE_LABEL[value] }));

export function ActivityForm({ activity }: { activity: ActivityDraft }) {
  const form = useForm(addActivity.byId.body, { defaults: { type: 'call', notes: '' }, onSubmit: activity.save });
  // The draft holds the text, in place of the fields.
  const { defaultValue: _type, ...type } = form.field('type');
  const { defaultValue: _notes, ...notes } = form.field('notes');
  const busy = form.busy || activity.saving;

  return (
    <Form onSubmit={form.submit} aria-label="Add activity" className="flex flex-col gap-3 rounded-md bg-paper p-4">
      <SelectField
        className="sm:max-w-52"
        label="Activity type"
        options={TYPES}
        {...type}
        value={activity.type}
        onChange={({ target }) => activity.changeType(target.value as ActivityType)}
      />
      <TextareaField
        label="Activity notes"
        rows={3}
        placeholder="What happened?"
        {...notes}
        value={activity.notes}
        onChange={(event) => {
          notes.onChange(event);
          activity.changeNotes(event.target.value);
        }}
      />
      <Button type="submit" busy={busy} className="self-end max-sm:w-full">
        {busy ? 'Adding...' : 'Add Activity'}
      </Button>
    </Form>
  );
}
