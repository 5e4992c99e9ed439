import { type FormEvent, useState } from 'react';
import { liftReason, type Objection } from '#contract/contact-rules/objection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { ObjectionText } from './ObjectionText.tsx';
import { useLiftObjection } from './objections.data.ts';

interface Props {
  objection: Objection;
  onClose: () => void;
}

/** Asks why an objection no longer counts. */
export function LiftObjectionDialog({ objection, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const lift = useLiftObjection();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = liftReason.safeParse(reason);
    setError(parsed.error?.issues[0]?.message);
    if (parsed.success && !lift.isPending) lift.mutate({ objection, reason: parsed.data }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Lift this objection"
      description="It no longer counts from then on. It stays in the list, with your name and the reason."
    >
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <ObjectionText objection={objection} />
        <TextField
          label="Reason"
          placeholder="They asked us to call again"
          value={reason}
          error={error}
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" busy={lift.isPending}>
            Lift it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
