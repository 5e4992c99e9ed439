import { useState } from 'react';
import { type Account, changeEmail, changeName } from '#contract/account/account.calls.ts';
import { ROLE_LABEL } from '#contract/users/user.ts';
import { useHasPassword } from '#web/auth/proofs.data.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useChangeEmail, useChangeName, useWithdrawEmail } from './account.data.ts';

/** Name and e-mail address, which users change themselves, and what administrators decide. */
export function ProfileCard({ account: { user, newEmail } }: { account: Account }) {
  return (
    <Card>
      <CardTitle>Profile</CardTitle>
      <div className="flex flex-col gap-5">
        <NameForm key={user.fullName} fullName={user.fullName} />
        <Email email={user.email} newEmail={newEmail} />
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm [overflow-wrap:anywhere]">
          <dt className="text-muted">Username</dt>
          <dd>{user.username}</dd>
          <dt className="text-muted">Role</dt>
          <dd>{ROLE_LABEL[user.role]}</dd>
          <dt className="text-muted">Monthly goal</dt>
          <dd>{user.monthlyGoal}</dd>
        </dl>
        <p className="text-sm text-muted">These three are changed by an administrator, under Users.</p>
      </div>
    </Card>
  );
}

function NameForm({ fullName }: { fullName: string }) {
  const change = useChangeName();
  const form = useForm(changeName.body, { defaults: { fullName }, onSubmit: (body) => change.mutateAsync(body) });
  return (
    <Form onSubmit={form.submit} aria-label="Name" className="flex flex-wrap items-start gap-2">
      <TextField
        className="min-w-0 grow basis-64"
        label="Full name"
        autoComplete="name"
        maxLength={200}
        {...form.field('fullName')}
      />
      <Button type="submit" variant="secondary" className="sm:mt-6" busy={form.busy}>
        Save name
      </Button>
    </Form>
  );
}

function Email({ email, newEmail }: { email: string; newEmail: string | null }) {
  const [open, setOpen] = useState(false);
  const withdraw = useWithdrawEmail();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 grow [overflow-wrap:anywhere]">
          <span className="block text-sm font-medium">E-mail</span>
          {email}
        </p>
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Change e-mail
        </Button>
      </div>
      {newEmail && (
        <Notice>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <span className="[overflow-wrap:anywhere]">
              Open the link that we have sent to <strong>{newEmail}</strong>. Until then your address stays as it is.
            </span>
            <Button variant="secondary" size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
              Keep the current address
            </Button>
          </div>
        </Notice>
      )}
      {open && <EmailDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

function EmailDialog({ onClose }: { onClose: () => void }) {
  const change = useChangeEmail();
  const hasPassword = useHasPassword();
  const form = useForm(changeEmail.body, {
    defaults: { email: '', ...(hasPassword && { password: '' }) },
    onSubmit: (body) => change.mutateAsync(body).then(onClose),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change e-mail"
      description="We send a link to the new address. Once you open it, the address is yours, and we tell the old one."
    >
      <Form onSubmit={form.submit}>
        <TextField label="New e-mail" type="email" autoComplete="email" {...form.field('email')} />
        {hasPassword && (
          <PasswordField label="Your password" autoComplete="current-password" {...form.field('password')} />
        )}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={form.busy}>
            Send link
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
