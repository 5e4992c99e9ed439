import {
  DEFAULT_SECURITY,
  type SecondFactor,
  type SecurityRules,
  securityRules,
} from '#contract/auth/security-rules.ts';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { fromWhole, SettingActions, toWhole, useSettingForm, WithDefault } from './setting-form.tsx';

interface Props {
  saved: SecurityRules;
  change: SettingChange | null;
}

const LABEL: Record<SecondFactor, string> = {
  off: 'Off',
  offered: 'Offered',
  admins: 'Required of administrators',
  all: 'Required of all',
};
const OPTIONS = Object.entries(LABEL).map(([value, label]) => ({ value, label }));

const MEANING: Record<SecondFactor, string> = {
  off: 'One-time codes and passkeys cannot be set up. Those that are set up still count.',
  offered: 'Users may set up one-time codes and passkeys on the page of their account.',
  admins: 'Administrators without one-time codes or a passkey must set one of them up.',
  all: 'Users without one-time codes or a passkey must set one of them up.',
};

const NUMBERS = [
  { name: 'graceDays', label: 'Days to set it up' },
  { name: 'sessionDays', label: 'Days until a session ends' },
] as const;

/** What signing in needs, and how long it lasts. */
export function SecuritySettings({ saved, change }: Props) {
  const form = useSettingForm('security', saved, securityRules);
  const { rules, edit, errors } = form;
  return (
    <Card>
      <CardTitle>Security</CardTitle>
      <form noValidate className="flex flex-col gap-4" onSubmit={form.submit}>
        <SelectField
          className="max-w-md"
          label="Second factor"
          options={OPTIONS}
          value={rules.secondFactor}
          hint={`Default: ${LABEL[DEFAULT_SECURITY.secondFactor]}. ${MEANING[rules.secondFactor]}`}
          onChange={({ target }) => edit({ secondFactor: target.value as SecondFactor })}
        />
        <div className="flex flex-wrap gap-4">
          {NUMBERS.map(({ name, label }) => (
            <TextField
              key={name}
              className="w-full max-w-60"
              label={label}
              inputMode="numeric"
              value={fromWhole(rules[name])}
              error={errors[name]}
              hint={`Default: ${DEFAULT_SECURITY[name]}`}
              onChange={({ target }) => edit({ [name]: toWhole(target.value) })}
            />
          ))}
          <TextField
            className="w-full max-w-60"
            label="Hours without use until it ends"
            inputMode="numeric"
            value={rules.idleHours === null ? '' : fromWhole(rules.idleHours)}
            error={errors.idleHours}
            hint={`Default: ${DEFAULT_SECURITY.idleHours}. Empty: no such limit`}
            onChange={({ target }) => edit({ idleHours: target.value.trim() === '' ? null : toWhole(target.value) })}
          />
        </div>
        <WithDefault standard={DEFAULT_SECURITY.askForOwnPassword ? 'on' : 'off'}>
          <Checkbox
            label="Ask users to replace a password that another person has set"
            checked={rules.askForOwnPassword}
            onChange={({ target }) => edit({ askForOwnPassword: target.checked })}
          />
        </WithDefault>
        <WithDefault standard={DEFAULT_SECURITY.askAgain ? 'on' : 'off'}>
          <Checkbox
            label="Ask for the password, a code or a passkey again before exports, changes of roles and deleting users"
            checked={rules.askAgain}
            onChange={({ target }) => edit({ askAgain: target.checked })}
          />
        </WithDefault>
        <WithDefault standard={DEFAULT_SECURITY.refuseCommonPasswords ? 'on' : 'off'}>
          <Checkbox
            label="Refuse the 10,000 most common passwords also where an administrator or a link sets one"
            checked={rules.refuseCommonPasswords}
            onChange={({ target }) => edit({ refuseCommonPasswords: target.checked })}
          />
        </WithDefault>
        <SettingActions form={form} saveLabel="Save security" change={change} />
      </form>
    </Card>
  );
}
