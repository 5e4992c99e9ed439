import type { ManagedUser } from '#contract/users/user.ts';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { EditUserDialog } from './EditUserDialog.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import type { Question } from './UserActions.tsx';

interface Props {
  question: Question;
  user: ManagedUser;
  own: boolean;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

/** The dialog that an action of a row opens. */
export function UserQuestion({ question, own, ...rest }: Props) {
  switch (question) {
    case 'edit':
      return <EditUserDialog own={own} {...rest} />;
    case 'reset':
      return <ResetPasswordDialog {...rest} />;
    case 'delete':
      return <DeleteUserDialog {...rest} />;
  }
}
