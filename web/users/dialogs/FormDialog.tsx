import type { FormEvent, ReactNode } from 'react';
import { Form } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';

interface Props {
  title: string;
  description?: string;
  form: { submit: (event: FormEvent<HTMLFormElement>) => Promise<void>; busy: boolean };
  submitLabel: [idle: string, busy: string];
  onClose: () => void;
  /** The fields as a draft, which closing keeps and Cancel discards. */
  draft?: { store: (event: FormEvent<HTMLFormElement>) => void; discard: () => void };
  onTriggerRemoved?: () => void;
  children: ReactNode;
}

/** A form in a dialog, which cannot be closed while it is submitted. */
export function FormDialog(props: Props) {
  const { title, description, form, submitLabel, onClose, draft, onTriggerRemoved, children } = props;
  const cancel = () => {
    draft?.discard();
    onClose();
  };
  return (
    <Dialog
      open
      title={title}
      description={description}
      onClose={() => !form.busy && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <Form onSubmit={form.submit} onChange={draft?.store} className="flex flex-col gap-4">
        {children}
        <DialogActions>
          <Button variant="secondary" disabled={form.busy} onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            {form.busy ? submitLabel[1] : submitLabel[0]}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
