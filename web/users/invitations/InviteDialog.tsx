import { INVITATION_DAYS } from '#contract/account/invitations.calls.ts';
import { DEFAULT_MONTHLY_GOAL } from '#contract/users/user.ts';
import { useForm } from '#web/kit/form.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { FormDialog } from '#web/users/dialogs/FormDialog.tsx';
import { GoalField, newUserForm, RoleField } from '#web/users/dialogs/UserFields.tsx';
import { useUserDraft } from '#web/users/user-draft.ts';
import { useInvite } from './invitations.data.ts';

const EMPTY = {
  username: '', // the invited person chooses it
  email: '',
  fullName: '',
  role: 'user',
  monthlyGoal: String(DEFAULT_MONTHLY_GOAL),
} as const;
const invitationForm = newUserForm.pick({ email: true, fullName: true, role: true, monthlyGoal: true });

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const invite = useInvite();
  const draft = useUserDraft('invitation', EMPTY);
  const fields = useForm(invitationForm, {
    defaults: draft.values,
    onSubmit: async (invited) => {
      await invite.mutateAsync(invited);
      draft.discard();
      onClose();
    },
  });
  return (
    <FormDialog
      title="Invite User"
      description={`They get a link by e-mail, with which they choose their username and password within ${INVITATION_DAYS} days.`}
      form={fields}
      submitLabel={['Send Invitation', 'Sending...']}
      onClose={onClose}
      draft={draft}
    >
      <TextField label="Email" type="email" autoComplete="off" {...fields.field('email')} />
      <TextField label="Full Name" autoComplete="off" {...fields.field('fullName')} />
      <RoleField {...fields.field('role')} />
      <GoalField {...fields.field('monthlyGoal')} />
    </FormDialog>
  );
}
