import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { forgotPassword } from '#contract/auth/password-reset.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { ForgotPasswordScreen } from './ForgotPasswordScreen.tsx';

async function submit(email: string) {
  await userEvent.type(screen.getByLabelText('Email'), email);
  await userEvent.click(screen.getByRole('button', { name: 'Send reset link' }));
}

test('a link leads back to sign-in', () => {
  fakeServer();
  show(<ForgotPasswordScreen />);
  expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/auth');
});

test('an invalid email is not sent', async () => {
  const server = fakeServer();
  show(<ForgotPasswordScreen />);

  await submit('ada');

  await waitFor(() =>
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address'),
  );
  expect(server.requests).toEqual([]);
});

test('the message does not depend on the response', async () => {
  const server = fakeServer();
  const held = server.holds(forgotPassword);
  const { toasts } = show(<ForgotPasswordScreen />);

  await submit('ada@example.com');
  expect(screen.getByRole('button', { name: 'Sending...' })).toHaveAttribute('aria-disabled', 'true');
  act(() => held.respond({ message: 'whatever' }));

  expect(
    await screen.findByText("If an account exists with that email, we've sent a password reset link."),
  ).toBeVisible();
  expect(server.last(forgotPassword)?.body).toEqual({ email: 'ada@example.com' });
  expect(toasts).toEqual([]);
});

test('a failure keeps the email and can be retried', async () => {
  const server = fakeServer();
  server.refuses(forgotPassword, 'internal', 'Something went wrong');
  const { toasts } = show(<ForgotPasswordScreen />);

  await submit('ada@example.com');

  expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred. Please try again.');
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
  expect(toasts).toEqual([]);

  server.responds(forgotPassword, { message: 'sent' });
  await userEvent.click(screen.getByRole('button', { name: 'Send reset link' }));
  expect(await screen.findByText(/If an account exists/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});
