import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { resetPassword, verifyResetToken } from '#contract/auth/password-reset.calls.ts';
import { currentUrl, openApp, serverForVisitors } from '#web/testing/app.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { ResetPasswordScreen } from './ResetPasswordScreen.tsx';

const token = 'q0kT-hJ2_x';

function validLink() {
  const server = fakeServer();
  server.responds(verifyResetToken, { valid: true });
  return server;
}

async function choose(password: string, confirmation = password) {
  await userEvent.type(await screen.findByLabelText('New password'), password);
  await userEvent.type(screen.getByLabelText('Confirm password'), confirmation);
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }));
}

describe('the link', () => {
  test('the token is removed from the URL and verified', async () => {
    const server = serverForVisitors();
    const held = server.holds(verifyResetToken);
    openApp(`/reset-password?token=${token}`);

    expect(currentUrl()).toBe('/reset-password');
    expect(await screen.findByText('Verifying your reset link…')).toBeVisible();
    await waitFor(() => expect(server.last(verifyResetToken)?.path).toBe(`/api/auth/verify-reset-token/${token}`));

    act(() => held.respond({ valid: true }));
    expect(await screen.findByLabelText('New password')).toHaveAttribute('autocomplete', 'new-password');
  });

  test('without a token nothing is requested', () => {
    const server = fakeServer();
    show(<ResetPasswordScreen token={undefined} />);

    expect(screen.getByRole('alert')).toHaveTextContent(
      'Missing reset token. Please check your reset link or request a new one.',
    );
    expect(screen.getByRole('link', { name: 'Request a new reset link' })).toHaveAttribute('href', '/forgot-password');
    expect(server.requests).toEqual([]);
  });

  test('an expired token shows an error and a link to request another', async () => {
    fakeServer().refuses(verifyResetToken, 'invalid_token', 'Invalid or expired token');
    show(<ResetPasswordScreen token={token} />);

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Invalid or expired token. Please request a new reset link.',
    );
    expect(screen.getByRole('link', { name: 'Request a new reset link' })).toBeVisible();
  });

  test.each(['internal', 'rate_limited'] as const)('a verification that fails with %s shows an error', async (code) => {
    fakeServer().refuses(verifyResetToken, code, 'No');
    show(<ResetPasswordScreen token={token} />);

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'An error occurred while verifying your reset token. Please try again later.',
    );
  });
});

describe('the new password', () => {
  test.each([
    ['Ab1', 'Password must be at least 8 characters'],
    ['lowercase1', 'Password must contain at least one uppercase letter'],
    ['UPPERCASE1', 'Password must contain at least one lowercase letter'],
    ['NoDigitsHere', 'Password must contain at least one number'],
    [`Aa1${'x'.repeat(98)}`, 'Password must be at most 100 characters'],
  ])('%s is refused: %s', async (password, message) => {
    const server = validLink();
    show(<ResetPasswordScreen token={token} />);

    await userEvent.click(await screen.findByLabelText('New password'));
    await userEvent.paste(password);
    await userEvent.click(screen.getByLabelText('Confirm password'));
    await userEvent.paste(password);
    await userEvent.click(screen.getByRole('button', { name: 'Reset password' }));

    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByLabelText('New password')).toBeInvalid();
    expect(server.times(resetPassword)).toBe(0);
  });

  test('must match its confirmation', async () => {
    const server = validLink();
    show(<ResetPasswordScreen token={token} />);

    await choose('Sunny2Day', 'Sunny2day');

    await waitFor(() =>
      expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription('Passwords do not match'),
    );
    expect(server.times(resetPassword)).toBe(0);
  });

  test('once changed, a button opens sign-in', async () => {
    const server = validLink();
    const held = server.holds(resetPassword);
    const { toasts } = show(<ResetPasswordScreen token={token} />);

    await choose('Sunny2Day');
    expect(screen.getByRole('button', { name: 'Resetting...' })).toHaveAttribute('aria-disabled', 'true');
    act(() => held.respond({ message: 'Done' }));

    await userEvent.click(await screen.findByRole('button', { name: 'Go to Login' }));
    expect(currentUrl()).toBe('/auth');
    expect(server.last(resetPassword)?.body).toEqual({ token, password: 'Sunny2Day' });
    expect(toasts).toEqual([]);
  });

  test('a token that expired meanwhile shows an error and a link to request another', async () => {
    validLink().refuses(resetPassword, 'invalid_token', 'Invalid or expired token');
    show(<ResetPasswordScreen token={token} />);

    await choose('Sunny2Day');

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Invalid or expired token. Please request a new reset link.',
    );
    expect(screen.getByRole('link', { name: 'Request a new reset link' })).toBeVisible();
  });

  test('a failure shows an error and keeps the typed values', async () => {
    validLink().refuses(resetPassword, 'internal', 'Something went wrong');
    show(<ResetPasswordScreen token={token} />);

    await choose('Sunny2Day');

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'An error occurred while resetting your password. Please try again.',
    );
    expect(screen.getByLabelText('New password')).toHaveValue('Sunny2Day');
    expect(screen.getByLabelText('Confirm password')).toHaveValue('Sunny2Day');
  });

  test('a connection error shows an error', async () => {
    validLink().vanishes(resetPassword);
    show(<ResetPasswordScreen token={token} />);

    await choose('Sunny2Day');

    expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred. Please try again later.');
  });
});
