import { clsx } from 'clsx';
import { Plus } from 'lucide-react';
import { openAddBusiness } from '#web/commands/dialogs.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { useMayAddLeads } from '#web/settings/settings.data.ts';

/** Its text is for screen readers only on phones where other buttons are beside it. */
export function AddBusinessButton({ iconOnPhone = false }: { iconOnPhone?: boolean }) {
  if (!useMayAddLeads()) return null;
  return (
    <Button variant="secondary" aria-keyshortcuts="a" onClick={() => openAddBusiness()}>
      <Plus aria-hidden="true" />
      <span className={clsx(iconOnPhone && 'max-md:sr-only')}>Add business</span>
    </Button>
  );
}
