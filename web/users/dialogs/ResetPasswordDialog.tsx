import type { ManagedUser } from '#contract/users/user.ts';
import { setUserPassword } from '#contract/users/users.calls.ts';
import { useForm } from '#web/kit/form.tsx';
import { useSetUserPassword } from '#web/users/users.data.ts';
import { FormDialog } from './FormDialog.tsx';
import { NewPasswordField } from './UserFields.tsx';

interface Props {
  user: ManagedUser;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

export function ResetPasswordDialog({ user, onClose, onTriggerRemoved }: Props) {
  const setPassword = useSetUserPassword(user.id);
  const form = useForm(setUserPassword.body, {
    defaults: { newPassword: '' },
    onSubmit: (body) => setPassword.mutateAsync(body).then(onClose),
  });

  return (
    <FormDialog
      title="Reset Password"
      description={`Set a new password for ${user.username}.`}
      form={form}
      submitLabel={['Reset Password', 'Resetting...']}
      onClose={onClose}
      onTriggerRemoved={onTriggerRemoved}
    >
      <NewPasswordField label="New Password" {...form.field('newPassword')} />
    </FormDialog>
  );
}
