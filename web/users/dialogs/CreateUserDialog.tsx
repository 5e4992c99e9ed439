import { DEFAULT_MONTHLY_GOAL } from '#contract/users/user.ts';
import { useForm } from '#web/kit/form.tsx';
import { useUserDraft } from '#web/users/user-draft.ts';
import { useCreateUser } from '#web/users/users.data.ts';
import { FormDialog } from './FormDialog.tsx';
import { GoalField, IdentityFields, NewPasswordField, newUserForm, RoleField } from './UserFields.tsx';

const EMPTY = {
  username: '',
  email: '',
  fullName: '',
  role: 'user',
  monthlyGoal: String(DEFAULT_MONTHLY_GOAL),
} as const;

export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateUser();
  const draft = useUserDraft('new', EMPTY);
  const form = useForm(newUserForm, {
    defaults: { ...draft.values, password: '' },
    onSubmit: async (user) => {
      await create.mutateAsync(user);
      draft.discard();
      onClose();
    },
  });

  return (
    <FormDialog
      title="Create New User"
      description="All fields are required."
      form={form}
      submitLabel={['Create User', 'Creating...']}
      onClose={onClose}
      draft={draft}
    >
      <IdentityFields username={form.field('username')} email={form.field('email')} fullName={form.field('fullName')} />
      <NewPasswordField label="Password" {...form.field('password')} />
      <RoleField {...form.field('role')} />
      <GoalField {...form.field('monthlyGoal')} />
    </FormDialog>
  );
}
