import type { ComponentProps } from 'react';
import { DEFAULT_MONTHLY_GOAL, ROLE_LABEL, role } from '#contract/users/user.ts';
import { TextField } from '#web/kit/ui/Input.tsx';
import { PasswordField } from '#web/kit/ui/PasswordField.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';

const ROLES = role.options.toReversed().map((value) => ({ value, label: ROLE_LABEL[value] }));

type Connection = Omit<ComponentProps<typeof TextField>, 'label'>;

interface IdentityProps {
  username: Connection;
  email: Connection;
  fullName: Connection;
}

/** Who somebody is: the part that creating and editing have in common. */
export function IdentityFields({ username, email, fullName }: IdentityProps) {
  return (
    <>
      {/* A browser would offer the administrator's own name and address. */}
      <TextField label="Username" autoComplete="off" autoCapitalize="none" spellCheck={false} {...username} />
      <TextField label="Email" type="email" autoComplete="off" {...email} />
      <TextField label="Full Name" autoComplete="off" {...fullName} />
    </>
  );
}

/** The rule stands under it until it is broken; then the refusal says the same. */
export function NewPasswordField({ label, ...connection }: Connection & { label: string }) {
  const hint = connection.error ? undefined : 'At least 8 characters.';
  return <PasswordField label={label} hint={hint} {...connection} autoComplete="new-password" />;
}

interface RoleProps extends Omit<ComponentProps<typeof SelectField>, 'label' | 'options'> {
  /** Why the role cannot be changed. */
  fixed?: string | undefined;
}

export function RoleField({ fixed, ...connection }: RoleProps) {
  return <SelectField label="Role" options={ROLES} {...connection} hint={fixed} disabled={fixed !== undefined} />;
}

export function GoalField(connection: Connection) {
  return (
    <TextField
      label="Monthly Goal"
      inputMode="numeric"
      autoComplete="off"
      hint={`Leads to contact each month. Left empty, it is ${DEFAULT_MONTHLY_GOAL}.`}
      {...connection}
    />
  );
}
