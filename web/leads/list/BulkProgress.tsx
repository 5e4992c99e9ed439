import { type ReactNode, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { CountedProgress } from '#web/kit/ui/CountedProgress.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/Dialog.tsx';
import { BulkProgressContext } from './bulk-steps.ts';

interface Running {
  done: number;
  total: number;
  controller: AbortController;
}

/** Shows how far an action in several steps is, and cancels the steps that are left. */
export function BulkProgress({ children }: { children: ReactNode }) {
  const [running, setRunning] = useState<Running>();
  const start = (total: number) => {
    const controller = new AbortController();
    setRunning({ done: 0, total, controller });
    return {
      signal: controller.signal,
      onProgress: (done: number) => setRunning({ done, total, controller }),
      onEnd: () => setRunning(undefined),
    };
  };
  const cancel = () => running?.controller.abort();
  return (
    <BulkProgressContext value={start}>
      {children}
      {running && (
        <Dialog
          open
          title="Changing Leads"
          description="What is done so far can be undone afterwards, also when you cancel."
          onClose={cancel}
        >
          <div aria-live="polite">
            <CountedProgress label="Leads changed" done={running.done} total={running.total} />
          </div>
          <DialogActions>
            <Button variant="secondary" onClick={cancel}>
              Cancel
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </BulkProgressContext>
  );
}
