import {
  Archive,
  ArchiveRestore,
  CalendarClock,
  ChevronDown,
  PencilLine,
  Split,
  Tag,
  Tags,
  Trash2,
  UserRoundCheck,
} from 'lucide-react';
import { useState } from 'react';
import { isClosed, LEAD_STATUS_LABEL, type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import type { BulkResults, ListedLead } from '#contract/leads/lead-lists.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Selection } from '#web/kit/selection.ts';
import { toast } from '#web/kit/toasts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { Menu, MenuItem, MenuSeparator, MenuSub } from '#web/kit/ui/overlays/Menu.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { BulkFieldDialog } from './BulkFieldDialog.tsx';
import { BulkTagDialog } from './BulkTagDialog.tsx';
import {
  type BulkLeads,
  countBulkLeads,
  findChangedCount,
  useBulkArchive,
  useBulkDelete,
  useBulkRestore,
  useBulkStatus,
} from './bulk.data.ts';
import { DistributeDialog } from './DistributeDialog.tsx';
import type { Offer } from './FollowUpOffer.tsx';
import { PlanFollowUpsDialog } from './PlanFollowUpsDialog.tsx';
import { ReassignLeadsDialog } from './ReassignLeadsDialog.tsx';

interface Props {
  selection: Selection<number>;
  /** The leads of "Select all that match", instead of the selected ones of the page. */
  matching: BulkLeads | undefined;
  /** The leads on the page. */
  items: ListedLead[];
  /** Something is to be offered for the leads that were changed. */
  onOffer: (offer: Offer) => void;
  /** The leads are those of other users, which a manager may only reassign. */
  reassignOnly: boolean;
  /** The action succeeded, and the focused menu button is about to disappear. */
  onDone: () => void;
}

export function BulkActions({ selection, matching, items, reassignOnly, onOffer, onDone }: Props) {
  const viewer = useViewer();
  const hasOwnFields = useOwnFields().some(({ archived }) => !archived);
  const [dialog, setDialog] = useState<'follow-up' | 'reassign' | 'distribute' | 'add-tag' | 'remove-tag' | 'field'>();
  // As they were when the question was asked: what comes later is not confirmed.
  const [toDelete, setToDelete] = useState<BulkLeads>();
  const deleteLeads = useBulkDelete();
  const archive = useBulkArchive();
  const restore = useBulkRestore();
  const updateStatus = useBulkStatus();
  const busy = [deleteLeads, archive, restore, updateStatus].some(({ isPending }) => isPending);
  const leads: BulkLeads = matching ?? { ids: [...selection.ids] };
  const count = countBulkLeads(leads);

  const close = () => {
    setDialog(undefined);
    setToDelete(undefined);
  };
  const finish = () => {
    close();
    selection.clear();
    onDone();
  };
  const changedIds = ({ results: { errors } }: BulkResults) =>
    [...selection.ids].filter((id) => !errors.some((error) => error.id === id));
  const offerDrop = (response: BulkResults) => {
    const changed = new Set(changedIds(response));
    const planned = items.filter(({ userBusiness: lead }) => changed.has(lead.id) && lead.nextStepAt !== null);
    if (planned.length) onOffer({ action: 'drop', ids: planned.map(({ userBusiness }) => userBusiness.id) });
  };
  /** What is planned already keeps its time, type and note. */
  const offerTimes = (response: BulkResults) => {
    const planned = new Set(items.flatMap(({ userBusiness: lead }) => (lead.nextStepAt ? [lead.id] : [])));
    const open = changedIds(response).filter((id) => !planned.has(id));
    if (open.length) onOffer({ action: 'plan', ids: open });
  };
  /** What is planned is known only of the leads on the page: after a job, nothing is offered. */
  const finishStatus = (status: LeadStatus, response: BulkResults | undefined) => {
    finish();
    if (!response) return;
    if (status === 'recontact') offerTimes(response);
    if (isClosed(status)) offerDrop(response);
  };
  const finishArchive = (response: BulkResults | undefined) => {
    finish();
    if (response) offerDrop(response);
  };
  const confirmDelete = (confirmed: BulkLeads) =>
    deleteLeads.mutate(confirmed, {
      onSuccess: finish,
      onError: (error) => {
        const changed = findChangedCount(error);
        if ('ids' in confirmed || changed === undefined) close();
        else setToDelete({ ...confirmed, count: changed });
      },
    });
  const ifSelected = (act: () => void) => () => (count === 0 ? toast(NOTHING_SELECTED) : act());

  return (
    <>
      <Menu
        busy={busy}
        trigger={
          <Button size="sm" busy={busy}>
            Bulk Actions
            <ChevronDown aria-hidden="true" />
          </Button>
        }
      >
        {!reassignOnly && (
          <>
            <MenuSub label="Update Status">
              {leadStatus.options.map((status) => (
                <MenuItem
                  key={status}
                  onSelect={ifSelected(() =>
                    updateStatus.mutate(
                      { ...leads, status },
                      { onSuccess: (response) => finishStatus(status, response) },
                    ),
                  )}
                >
                  {LEAD_STATUS_LABEL[status]}
                </MenuItem>
              ))}
            </MenuSub>
            <MenuItem onSelect={ifSelected(() => setDialog('add-tag'))}>
              <Tag aria-hidden="true" />
              Add tag
            </MenuItem>
            <MenuItem onSelect={ifSelected(() => setDialog('remove-tag'))}>
              <Tags aria-hidden="true" />
              Remove tag
            </MenuItem>
            {hasOwnFields && (
              <MenuItem onSelect={ifSelected(() => setDialog('field'))}>
                <PencilLine aria-hidden="true" />
                Set field
              </MenuItem>
            )}
            <MenuItem onSelect={ifSelected(() => setDialog('follow-up'))}>
              <CalendarClock aria-hidden="true" />
              Plan follow-up
            </MenuItem>
          </>
        )}
        <MenuItem onSelect={ifSelected(() => setDialog('reassign'))}>
          <UserRoundCheck aria-hidden="true" />
          Reassign
        </MenuItem>
        {viewer.role !== 'user' && (
          <MenuItem onSelect={ifSelected(() => setDialog('distribute'))}>
            <Split aria-hidden="true" />
            Assign evenly
          </MenuItem>
        )}
        {!reassignOnly && (
          <>
            <MenuItem onSelect={ifSelected(() => archive.mutate(leads, { onSuccess: finishArchive }))}>
              <Archive aria-hidden="true" />
              Archive
            </MenuItem>
            <MenuItem onSelect={ifSelected(() => restore.mutate(leads, { onSuccess: finish }))}>
              <ArchiveRestore aria-hidden="true" />
              Restore
            </MenuItem>
            <MenuSeparator />
            <MenuItem tone="danger" onSelect={ifSelected(() => setToDelete(leads))}>
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {toDelete && (
        <AlertDialog
          open
          title="Confirm Deletion"
          description={`Are you sure you want to delete ${formatCount(countBulkLeads(toDelete))} selected business(es)? This action is permanent and cannot be undone.`}
          confirmLabel={deleteLeads.isPending ? 'Deleting...' : 'Delete'}
          busy={deleteLeads.isPending}
          onConfirm={() => confirmDelete(toDelete)}
          onClose={close}
          onTriggerRemoved={onDone}
        />
      )}
      {dialog === 'follow-up' && (
        <PlanFollowUpsDialog leads={leads} onDone={finish} onClose={close} onTriggerRemoved={onDone} />
      )}
      {dialog === 'reassign' && (
        <ReassignLeadsDialog leads={leads} onDone={finish} onClose={close} onTriggerRemoved={onDone} />
      )}
      {dialog === 'distribute' && (
        <DistributeDialog leads={leads} onDone={finish} onClose={close} onTriggerRemoved={onDone} />
      )}
      {dialog === 'field' && (
        <BulkFieldDialog leads={leads} onDone={finish} onClose={close} onTriggerRemoved={onDone} />
      )}
      {(dialog === 'add-tag' || dialog === 'remove-tag') && (
        <BulkTagDialog
          action={dialog === 'add-tag' ? 'add' : 'remove'}
          leads={leads}
          onDone={finish}
          onClose={close}
          onTriggerRemoved={onDone}
        />
      )}
    </>
  );
}

const NOTHING_SELECTED = {
  title: 'No items selected',
  description: 'Please select at least one business to perform this action.',
  tone: 'destructive' as const,
};
