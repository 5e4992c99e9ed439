import { z } from 'zod';
import type { Viewer } from '#contract/users/user.ts';
import { canShareViews, MAX_VIEW_NAME, type SavedView, viewName } from '#contract/views/view.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useChangeView, useCreateView, type View } from './views.data.ts';

// A checkbox that is not checked is not part of a form's data.
const fields = z.object({ name: viewName, shared: z.string().optional() });

interface Props {
  title: string;
  viewer: Viewer;
  /** The view to rename. Without it a new view is saved. */
  renamed?: View;
  /** Of the new view. */
  settings?: Record<string, string>;
  suggestedName?: string;
  /** What is saved. */
  description?: string;
  onSaved?: (view: SavedView) => void;
  onClose: () => void;
}

export function ViewNameDialog({
  title,
  viewer,
  renamed,
  settings = {},
  suggestedName = '',
  description = 'The filters, the order, the layout and the page size of the list.',
  onSaved,
  onClose,
}: Props) {
  const createView = useCreateView();
  const changeView = useChangeView();
  const form = useForm(fields, {
    defaults: { name: renamed?.name ?? suggestedName },
    onSubmit: async ({ name, shared }) => {
      const view = renamed
        ? await changeView.mutateAsync({ id: renamed.id, name })
        : await createView.mutateAsync({ name, shared: shared !== undefined, settings });
      onClose();
      onSaved?.(view);
    },
  });
  return (
    <Dialog open title={title} description={renamed ? undefined : description} onClose={onClose}>
      <Form onSubmit={form.submit}>
        <TextField label="Name" maxLength={MAX_VIEW_NAME} autoComplete="off" {...form.field('name')} />
        {!renamed && canShareViews(viewer) && <Checkbox label="Share with the team" name="shared" />}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            {renamed ? 'Rename' : 'Save view'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
