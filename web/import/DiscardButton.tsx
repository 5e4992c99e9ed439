import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useDiscardImport } from './import-jobs.data.ts';

/** Deletes an import with its file, once it is confirmed. */
export function DiscardButton({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState(false);
  const discard = useDiscardImport(id);
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Discard
      </Button>
      <AlertDialog
        open={asking}
        title="Discard this import?"
        description="The uploaded file is deleted. Nothing of it was imported."
        confirmLabel="Discard"
        busy={discard.isPending}
        onConfirm={() => discard.mutate(undefined, { onSuccess: () => navigate('/import', { replace: true }) })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
