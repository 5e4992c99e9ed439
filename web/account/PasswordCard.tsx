import { changePassword } from '#contract/account/account.calls.ts';
import { useHasPassword } from '#web/auth/proofs.data.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { useChangePassword } from './account.data.ts';

export function PasswordCard({ username }: { username: string }) {
  const change = useChangePassword();
  const hasPassword = useHasPassword();
  const empty = { newPassword: '', ...(hasPassword && { password: '' }) };
  const form = useForm(changePassword.body, {
    defaults: empty,
    onSubmit: async (body): Promise<void> => {
      await change.mutateAsync(body);
      form.reset(empty);
    },
  });
  return (
    <Card id="password">
      <CardTitle>Password</CardTitle>
      <Form onSubmit={form.submit} aria-label="Password" className="flex flex-col items-start gap-4">
        <p className="text-sm text-muted">
          {hasPassword
            ? 'Changing it ends all of your other sessions.'
            : 'You sign in without a password. With one there is another way in.'}
        </p>
        {/* For password managers, which store the new one with its name. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        {hasPassword && (
          <PasswordField
            className="w-full max-w-sm"
            label="Current password"
            autoComplete="current-password"
            {...form.field('password')}
          />
        )}
        <PasswordField
          className="w-full max-w-sm"
          label="New password"
          hint="8 to 100 characters."
          autoComplete="new-password"
          {...form.field('newPassword')}
        />
        <Button type="submit" variant="secondary" busy={form.busy}>
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </Form>
    </Card>
  );
}
