import type { ManagedUser } from '#contract/users/user.ts';
import { useForm } from '#web/kit/form.tsx';
import { useUserDraft } from '#web/users/user-draft.ts';
import { useChangeUser } from '#web/users/users.data.ts';
import { FormDialog } from './FormDialog.tsx';
import { changedUserForm, GoalField, IdentityFields, RoleField } from './UserFields.tsx';
import { WaysToSignIn } from './WaysToSignIn.tsx';

interface Props {
  user: ManagedUser;
  /** Whether it is the viewer's own account. */
  own: boolean;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

export function EditUserDialog({ user, own, onClose, onTriggerRemoved }: Props) {
  const change = useChangeUser(user.id);
  const { username, email, fullName, role } = user;
  const draft = useUserDraft(user.id, { username, email, fullName, role, monthlyGoal: String(user.monthlyGoal) });
  const form = useForm(changedUserForm, {
    defaults: draft.values,
    onSubmit: async (changes) => {
      await change.mutateAsync(changes);
      draft.discard();
      onClose();
    },
  });

  return (
    <FormDialog
      title="Edit User"
      description={`Change the account of ${username}.`}
      form={form}
      submitLabel={['Save Changes', 'Saving...']}
      onClose={onClose}
      draft={draft}
      onTriggerRemoved={onTriggerRemoved}
    >
      <IdentityFields username={form.field('username')} email={form.field('email')} fullName={form.field('fullName')} />
      <RoleField {...form.field('role')} disabledReason={own ? 'You cannot change your own role.' : undefined} />
      <GoalField {...form.field('monthlyGoal')} />
      <WaysToSignIn user={user} own={own} />
    </FormDialog>
  );
}
