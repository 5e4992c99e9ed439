import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { AlertDialog } from '#web/kit/ui/Dialog.tsx';
import { useArchiveLead, useDeleteLead, useMarkCustomer } from './leads.data.ts';
import { ReassignDialog } from './profile/ReassignDialog.tsx';

/** What is asked in a dialog before it is done. */
export type Question = 'reassign' | 'archive' | 'mark' | 'delete';

interface Props {
  name: LeadRef;
  profile: LeadProfile;
  onClose: () => void;
}

export function LeadQuestion({ question, ...props }: Props & { question: Question }) {
  switch (question) {
    case 'reassign':
      return <ReassignDialog {...props} />;
    case 'archive':
      return <ArchiveQuestion {...props} />;
    case 'mark':
      return <MarkQuestion {...props} />;
    case 'delete':
      return <DeleteQuestion {...props} />;
  }
}

function ArchiveQuestion({ name, profile, onClose }: Props) {
  const [, navigate] = useLocation();
  return (
    <ConfirmDialog
      title="Archive Business"
      about={profile.business.name}
      act={useArchiveLead(name)}
      words={['Archive', 'Archiving...']}
      tone="primary"
      onDone={() => navigate('/crm')}
      onClose={onClose}
    >
      <p>Are you sure you want to archive this business?</p>
      <p>It moves to the archive and leaves the active views. You can restore it from there at any time.</p>
    </ConfirmDialog>
  );
}

function MarkQuestion({ name, profile, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Mark as Existing Customer"
      about={profile.business.name}
      act={useMarkCustomer(name)}
      words={['Mark as Existing Customer', 'Marking...']}
      tone="primary"
      onDone={onClose}
      onClose={onClose}
    >
      <p>The business is excluded from normal lead views and reporting.</p>
      <p>The mark can be removed again.</p>
    </ConfirmDialog>
  );
}

function DeleteQuestion({ name, profile, onClose }: Props) {
  const [, navigate] = useLocation();
  return (
    <ConfirmDialog
      title="Permanently Delete Business"
      about={profile.business.name}
      act={useDeleteLead(name)}
      words={['Permanently Delete', 'Deleting...']}
      tone="danger"
      onDone={() => navigate('/crm')}
      onClose={onClose}
    >
      <p>This action cannot be undone.</p>
      <p>All activities, notes and assignment history of this business are lost.</p>
    </ConfirmDialog>
  );
}

interface ConfirmDialogProps {
  title: string;
  /** The business it is about. */
  about: string;
  act: Pick<UseMutationResult<unknown, Error, void>, 'mutate'>;
  words: [idle: string, busy: string];
  tone: 'primary' | 'danger';
  onDone: () => void;
  onClose: () => void;
  children: ReactNode;
}

function ConfirmDialog({ title, about, act, words, tone, onDone, onClose, children }: ConfirmDialogProps) {
  // The mutation's own state arrives a moment later, in which a second click would fit.
  const [busy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    act.mutate(undefined, { onSuccess: onDone, onError: () => setBusy(false) });
  };

  return (
    <AlertDialog
      open
      title={title}
      description={
        <div className="flex flex-col gap-2">
          <p className="font-medium break-words text-ink">{about}</p>
          {children}
        </div>
      }
      confirmLabel={busy ? words[1] : words[0]}
      busy={busy}
      tone={tone}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
