import type { ComponentProps } from 'react';
import { z } from 'zod';
import { changedUser, DEFAULT_MONTHLY_GOAL, monthlyGoal, newUser, ROLE_LABEL, role } from '#contract/users/user.ts';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';

// Number() alone would accept "0x10" and "1e3".
const parseNumber = (text: string) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);

/** A goal as typed; empty means the default. */
const typedGoal = z
  .string()
  .trim()
  .transform((text) => (text === '' ? DEFAULT_MONTHLY_GOAL : parseNumber(text)))
  .pipe(monthlyGoal);

export const newUserForm = newUser.extend({ role, monthlyGoal: typedGoal });
export const changedUserForm = changedUser.extend({ monthlyGoal: typedGoal });

const ROLES = [...role.options].reverse().map((value) => ({ value, label: ROLE_LABEL[value] }));

type FieldProps = Omit<ComponentProps<typeof TextField>, 'label'>;

interface IdentityProps {
  username: FieldProps;
  email: FieldProps;
  fullName: FieldProps;
}

/** The fields that creating and editing a user share. */
export function IdentityFields({ username, email, fullName }: IdentityProps) {
  return (
    <>
      {/* A browser would fill in the administrator's own name and e-mail. */}
      <TextField label="Username" autoComplete="off" autoCapitalize="none" spellCheck={false} {...username} />
      <TextField label="Email" type="email" autoComplete="off" {...email} />
      <TextField label="Full Name" autoComplete="off" {...fullName} />
    </>
  );
}

/** The hint gives way to the error, which says the same. */
export function NewPasswordField({ label, ...field }: FieldProps & { label: string }) {
  const hint = field.error ? undefined : 'At least 8 characters.';
  return <PasswordField label={label} hint={hint} {...field} autoComplete="new-password" />;
}

interface RoleProps extends Omit<ComponentProps<typeof SelectField>, 'label' | 'options'> {
  /** Why the role cannot be changed. */
  disabledReason?: string | undefined;
}

export function RoleField({ disabledReason, ...field }: RoleProps) {
  return (
    <SelectField
      label="Role"
      options={ROLES}
      {...field}
      hint={disabledReason}
      disabled={disabledReason !== undefined}
    />
  );
}

export function GoalField(field: FieldProps) {
  return (
    <TextField
      label="Monthly Goal"
      inputMode="numeric"
      autoComplete="off"
      hint={`Leads to contact each month. Left empty, it is ${DEFAULT_MONTHLY_GOAL}.`}
      {...field}
    />
  );
}
