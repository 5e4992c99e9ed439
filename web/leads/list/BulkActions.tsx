import { Archive, ArchiveRestore, ChevronDown, Trash2, UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { LEAD_STATUS_LABEL, leadStatus } from '#contract/leads/lead.ts';
import type { Selection } from '#web/kit/selection.ts';
import { toast } from '#web/kit/toasts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/Dialog.tsx';
import { Menu, MenuItem, MenuSeparator, MenuSub } from '#web/kit/ui/Menu.tsx';
import { useBulkArchive, useBulkDelete, useBulkRestore, useBulkStatus } from './bulk.data.ts';
import { ReassignLeadsDialog } from './ReassignLeadsDialog.tsx';

interface Props {
  selection: Selection<number>;
  /** Done, and what had the focus is about to go. */
  onDone: () => void;
}

/** What can be done to all selected leads. */
export function BulkActions({ selection, onDone }: Props) {
  const [asked, setAsked] = useState<'delete' | 'reassign'>();
  const remove = useBulkDelete();
  const archive = useBulkArchive();
  const restore = useBulkRestore();
  const updateStatus = useBulkStatus();
  const busy = [remove, archive, restore, updateStatus].some(({ isPending }) => isPending);
  const ids = [...selection.ids];

  const close = () => setAsked(undefined);
  const done = () => {
    close();
    selection.clear();
    onDone();
  };
  const allowed = (act: () => void) => () => (ids.length === 0 ? toast(NOTHING_SELECTED) : act());

  return (
    <>
      <Menu
        trigger={
          <Button size="sm" busy={busy}>
            Bulk Actions
            <ChevronDown aria-hidden="true" className="size-4" />
          </Button>
        }
      >
        <MenuSub label="Update Status">
          {leadStatus.options.map((status) => (
            <MenuItem key={status} onSelect={allowed(() => updateStatus.mutate({ ids, status }, { onSuccess: done }))}>
              {LEAD_STATUS_LABEL[status]}
            </MenuItem>
          ))}
        </MenuSub>
        <MenuItem onSelect={allowed(() => setAsked('reassign'))}>
          <UserRoundCheck aria-hidden="true" className="size-4" />
          Reassign
        </MenuItem>
        <MenuItem onSelect={allowed(() => archive.mutate({ ids }, { onSuccess: done }))}>
          <Archive aria-hidden="true" className="size-4" />
          Archive
        </MenuItem>
        <MenuItem onSelect={allowed(() => restore.mutate({ ids }, { onSuccess: done }))}>
          <ArchiveRestore aria-hidden="true" className="size-4" />
          Restore
        </MenuItem>
        <MenuSeparator />
        <MenuItem tone="danger" onSelect={allowed(() => setAsked('delete'))}>
          <Trash2 aria-hidden="true" className="size-4" />
          Delete
        </MenuItem>
      </Menu>
      <AlertDialog
        open={asked === 'delete'}
        title="Confirm Deletion"
        description={`Are you sure you want to delete ${ids.length} selected business(es)? This action is permanent and cannot be undone.`}
        confirmLabel={remove.isPending ? 'Deleting...' : 'Delete'}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ ids }, { onSuccess: done, onError: close })}
        onClose={close}
        onTriggerRemoved={onDone}
      />
      {asked === 'reassign' && (
        <ReassignLeadsDialog ids={ids} onDone={done} onClose={close} onTriggerRemoved={onDone} />
      )}
    </>
  );
}

const NOTHING_SELECTED = {
  title: 'No items selected',
  description: 'Please select at least one business to perform this action.',
  tone: 'destructive' as const,
};
