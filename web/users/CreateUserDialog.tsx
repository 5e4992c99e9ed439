import { DEFAULT_MONTHLY_GOAL } from '#contract/users/user.ts';
import { useForm } from '#web/kit/form.tsx';
import { FormDialog } from './FormDialog.tsx';
import { GoalField, IdentityFields, NewPasswordField, newUserForm, RoleField } from './UserFields.tsx';
import { useCreateUser } from './users.data.ts';

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateUser();
  const form = useForm(newUserForm, {
    defaults: {
      username: '',
      email: '',
      fullName: '',
      password: '',
      role: 'user',
      monthlyGoal: String(DEFAULT_MONTHLY_GOAL),
    },
    onSubmit: (user) => create.mutateAsync(user).then(onClose),
  });

  return (
    <FormDialog
      title="Create New User"
      description="All fields are required."
      form={form}
      submitLabel={['Create User', 'Creating...']}
      onClose={onClose}
    >
      <IdentityFields username={form.field('username')} email={form.field('email')} fullName={form.field('fullName')} />
      <NewPasswordField label="Password" {...form.field('password')} />
      <RoleField {...form.field('role')} />
      <GoalField {...form.field('monthlyGoal')} />
    </FormDialog>
  );
}
