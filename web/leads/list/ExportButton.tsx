import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import type { ListState } from './list-state.ts';

export function ExportButton({ state }: { state: ListState }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" className="max-sm:px-3 max-sm:text-sm" onClick={() => setOpen(true)}>
        <Download aria-hidden="true" className="size-4.5 max-sm:hidden" />
        Export
      </Button>
      {open && <ExportDialog state={state} onClose={() => setOpen(false)} />}
    </>
  );
}
