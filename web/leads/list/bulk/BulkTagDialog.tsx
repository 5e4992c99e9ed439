import { useId } from 'react';
import { z } from 'zod';
import { tag } from '#contract/leads/lead.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { formatCounted } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useKnownTags } from '#web/leads/leads.data.ts';
import { type BulkLeads, countBulkLeads, useBulkAddTag, useBulkRemoveTag } from './bulk.data.ts';

interface Props {
  action: 'add' | 'remove';
  leads: BulkLeads;
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

const fields = z.object({ tag });

export function BulkTagDialog({ action, leads, onDone, onClose, onTriggerRemoved }: Props) {
  const knownTags = useKnownTags();
  const listId = useId();
  const addTag = useBulkAddTag();
  const removeTag = useBulkRemoveTag();
  const adding = action === 'add';
  const selected = formatCounted(countBulkLeads(leads), 'selected business', 'selected businesses');
  const form = useForm(fields, {
    defaults: { tag: '' },
    onSubmit: async ({ tag }) => {
      await (adding ? addTag : removeTag).mutateAsync({ ...leads, tag });
      onDone();
    },
  });
  return (
    <Dialog
      open
      title={adding ? 'Add Tag' : 'Remove Tag'}
      description={
        adding
          ? `Adds the tag to ${selected}. Where it is there already, nothing changes.`
          : `Removes the tag from ${selected}. Where it is missing, nothing changes.`
      }
      onClose={() => !form.busy && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <Form onSubmit={form.submit}>
        <TextField label="Tag" maxLength={50} autoComplete="off" list={listId} {...form.field('tag')} />
        <datalist id={listId}>
          {knownTags.map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
        <DialogActions>
          <Button variant="secondary" disabled={form.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            {adding ? 'Add tag' : 'Remove tag'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
