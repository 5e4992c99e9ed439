import { useState } from 'react';
import { z } from 'zod';
import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS, MAX_TOKEN_NAME, newToken } from '#contract/tokens/token.ts';
import { PROGRAM_RIGHTS_LABEL, programRights } from '#contract/users/program.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { CopyField } from '#web/kit/ui/forms/CopyField.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useViews } from '#web/views/views.data.ts';
import { useCreateToken } from './tokens.data.ts';

const tokenForm = z.object({
  name: newToken.shape.name,
  rights: programRights,
  leads: z.enum(['all', 'own']),
  viewId: z.string(),
  days: z.coerce.number<string>(),
});

const LEADS = [
  { value: 'all', label: 'All that you may see' },
  { value: 'own', label: 'Only those that you hold' },
];
const DAYS = [7, 30, DEFAULT_TOKEN_DAYS, 180, MAX_TOKEN_DAYS].map((days) => ({
  value: String(days),
  label: `${days} days`,
}));

/** Asks what a program may do, and then shows its token once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateToken();
  if (create.data) return <NewToken name={create.data.token.name} secret={create.data.secret} onClose={onClose} />;
  return <TokenForm create={create} onClose={onClose} />;
}

interface FormProps {
  create: ReturnType<typeof useCreateToken>;
  onClose: () => void;
}

function TokenForm({ create, onClose }: FormProps) {
  const viewer = useViewer();
  const views = useViews(viewer);
  const [administers, setAdministers] = useState(false);
  const form = useForm(tokenForm, {
    defaults: { name: '', rights: 'read', leads: 'all', viewId: '', days: String(DEFAULT_TOKEN_DAYS) },
    onSubmit: ({ leads, viewId, ...token }) =>
      create.mutateAsync({ ...token, ownLeads: leads === 'own', viewId: viewId || null }),
  });
  const saved = views.data?.all.filter(({ kind }) => kind !== 'built-in') ?? [];
  const rights = programRights.options.filter((right) => right !== 'admin' || viewer.role === 'admin');
  const { onChange: revalidate, ...rightsField } = form.field('rights');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Make a token"
      description="You get an e-mail that it was made, and another one a week before it expires."
    >
      <Form onSubmit={form.submit}>
        <TextField
          label="Name of the program"
          hint="The timeline, the changes and the audit log say it: “by you, through n8n”."
          maxLength={MAX_TOKEN_NAME}
          autoComplete="off"
          {...form.field('name')}
        />
        <SelectField
          label="It may"
          options={rights.map((value) => ({ value, label: PROGRAM_RIGHTS_LABEL[value] }))}
          hint={administers ? 'Never more than you may at that moment.' : undefined}
          {...rightsField}
          onChange={(event) => {
            setAdministers(event.target.value === 'admin');
            revalidate(event);
          }}
        />
        {!administers && (
          <>
            <SelectField label="Leads" options={LEADS} {...form.field('leads')} />
            {saved.length > 0 && (
              <SelectField
                label="Limited to a saved view"
                hint="Then it sees and changes only the leads that the view lists at that moment."
                options={[
                  { value: '', label: 'Not limited' },
                  ...saved.map(({ id, name, sharedBy }) => ({
                    value: id,
                    label: sharedBy ? `${name} (shared by ${sharedBy})` : name,
                  })),
                ]}
                {...form.field('viewId')}
              />
            )}
          </>
        )}
        <SelectField label="Expires after" options={DAYS} {...form.field('days')} />
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            Make token
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function NewToken({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`The token of “${name}”`}
      description="Copy it now: it is not shown again. Keep it as you keep a password. The program sends it with each request."
    >
      <CopyField label="Token" value={secret} />
      <p className="mt-4 text-sm text-muted">As a header of a request:</p>
      <code className="mt-1 block rounded-md bg-sunken p-3 font-mono text-sm [overflow-wrap:anywhere]">
        Authorization: Bearer hs_…
      </code>
      <DialogActions>
        <Button onClick={onClose}>I have stored it</Button>
      </DialogActions>
    </Dialog>
  );
}
