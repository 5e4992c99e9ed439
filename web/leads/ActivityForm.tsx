import { ACTIVITY_TYPE_LABEL, activityType } from '#contract/leads/lead.ts';
import type { LeadName } from '#contract/leads/lead-call.ts';
import { addActivity } from '#contract/leads/leads.calls.ts';
import { useActionKey } from '#web/kit/action-key.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/Input.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';
import { useAddActivity } from './leads.data.ts';

const TYPES = activityType.options.map((value) => ({ value, label: ACTIVITY_TYPE_LABEL[value] }));

export function ActivityForm({ name }: { name: LeadName }) {
  const add = useAddActivity(name);
  const action = useActionKey();
  const form = useForm(addActivity.byId.body, {
    defaults: { type: 'call', notes: '' },
    onSubmit: async (body) => {
      await add.mutateAsync({ ...body, key: action.keyFor(body) });
      action.done();
      form.reset({ type: body.type, notes: '' });
    },
  });

  return (
    <Form onSubmit={form.submit} aria-label="Add activity" className="flex flex-col gap-3 rounded-md bg-paper p-4">
      <SelectField className="sm:max-w-52" label="Activity type" options={TYPES} {...form.field('type')} />
      <TextareaField label="Activity notes" rows={3} placeholder="What happened?" {...form.field('notes')} />
      <Button type="submit" busy={form.busy} className="self-end max-sm:w-full">
        {form.busy ? 'Adding...' : 'Add Activity'}
      </Button>
    </Form>
  );
}
