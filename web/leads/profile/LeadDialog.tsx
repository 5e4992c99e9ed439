import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { formatDue } from '#web/leads/follow-ups/format-due.ts';
import { useArchiveLead, useDeleteLead, useMarkCustomer } from './profile.data.ts';
import { ReassignDialog } from './ReassignDialog.tsx';

/** The actions that need a dialog. */
export type DialogAction = 'reassign' | 'archive' | 'markCustomer' | 'delete';

interface Props {
  leadRef: LeadRef;
  profile: LeadProfile;
  onClose: () => void;
}

export function LeadDialog({ action, ...props }: Props & { action: DialogAction }) {
  switch (action) {
    case 'reassign':
      return <ReassignDialog {...props} />;
    case 'archive':
      return <ArchiveDialog {...props} />;
    case 'markCustomer':
      return <MarkCustomerDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
  }
}

function ArchiveDialog({ leadRef, profile, onClose }: Props) {
  const [, navigate] = useLocation();
  const archive = useArchiveLead(leadRef);
  const [dropFollowUp, setDropFollowUp] = useState(false);
  return (
    <ConfirmDialog
      title="Archive Business"
      businessName={profile.business.name}
      mutate={(callbacks) => archive.mutate({ dropFollowUp }, callbacks)}
      confirmLabel={['Archive', 'Archiving...']}
      tone="primary"
      onSuccess={() => navigate('/crm')}
      onClose={onClose}
    >
      <p>Are you sure you want to archive this business?</p>
      <p>It moves to the archive and leaves the active views. You can restore it from there at any time.</p>
      <DropCheckbox profile={profile} checked={dropFollowUp} onChange={setDropFollowUp} />
    </ConfirmDialog>
  );
}

function MarkCustomerDialog({ leadRef, profile, onClose }: Props) {
  const mark = useMarkCustomer(leadRef);
  const [dropFollowUp, setDropFollowUp] = useState(false);
  return (
    <ConfirmDialog
      title="Mark as Existing Customer"
      businessName={profile.business.name}
      mutate={(callbacks) => mark.mutate({ dropFollowUp }, callbacks)}
      confirmLabel={['Mark as Existing Customer', 'Marking...']}
      tone="primary"
      onSuccess={onClose}
      onClose={onClose}
    >
      <p>The business is excluded from normal lead views and reporting.</p>
      <p>The mark can be removed again.</p>
      <DropCheckbox profile={profile} checked={dropFollowUp} onChange={setDropFollowUp} />
    </ConfirmDialog>
  );
}

interface DropCheckboxProps {
  profile: LeadProfile;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether a planned follow-up is dropped, too; nothing where none is planned. */
function DropCheckbox({ profile, checked, onChange }: DropCheckboxProps) {
  const timeZone = useTimeZone();
  const { nextStepAt } = profile.userBusiness;
  if (!nextStepAt || !timeZone) return null;
  return (
    <div className="text-ink">
      <Checkbox
        label={`Drop the follow-up planned for ${formatDue(nextStepAt, new Date(), timeZone)}`}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
    </div>
  );
}

function DeleteDialog({ leadRef, profile, onClose }: Props) {
  const [, navigate] = useLocation();
  const deleteLead = useDeleteLead(leadRef);
  return (
    <ConfirmDialog
      title="Permanently Delete Business"
      businessName={profile.business.name}
      mutate={(callbacks) => deleteLead.mutate(undefined, callbacks)}
      confirmLabel={['Permanently Delete', 'Deleting...']}
      tone="danger"
      onSuccess={() => navigate('/crm')}
      onClose={onClose}
    >
      <p>This action cannot be undone.</p>
      <p>All activities, notes and assignment history of this business are lost.</p>
    </ConfirmDialog>
  );
}

interface ConfirmDialogProps {
  title: string;
  businessName: string;
  mutate: (callbacks: { onSuccess: () => void; onError: () => void }) => void;
  confirmLabel: [idle: string, busy: string];
  tone: 'primary' | 'danger';
  onSuccess: () => void;
  onClose: () => void;
  children: ReactNode;
}

function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, businessName, mutate, confirmLabel, tone, onSuccess, onClose, children } = props;
  // Set synchronously: a double click would come before the mutation's own isPending.
  const [busy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    mutate({ onSuccess, onError: () => setBusy(false) });
  };

  return (
    <AlertDialog
      open
      title={title}
      description={
        <div className="flex flex-col gap-2">
          <p className="font-medium break-words text-ink">{businessName}</p>
          {children}
        </div>
      }
      confirmLabel={busy ? confirmLabel[1] : confirmLabel[0]}
      busy={busy}
      tone={tone}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
