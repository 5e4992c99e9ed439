import type { ManagedUser } from '#contract/users/user.ts';
import { setUserPassword } from '#contract/users/users.calls.ts';
import { useForm } from '#web/kit/form.tsx';
import { FormDialog } from './FormDialog.tsx';
import { NewPasswordField } from './UserFields.tsx';
import { useSetUserPassword } from './users.data.ts';

interface Props {
  user: ManagedUser;
  onClose: () => void;
  onOriginGone: () => void;
}

export function ResetPasswordDialog({ user, onClose, onOriginGone }: Props) {
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
      submit={['Reset Password', 'Resetting...']}
      onClose={onClose}
      onOriginGone={onOriginGone}
    >
      <NewPasswordField label="New Password" {...form.field('newPassword')} />
    </FormDialog>
  );
}
