import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { acceptInvitation, getInvitation } from '#contract/account/invitations.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { bob } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { InvitationScreen } from './InvitationScreen.tsx';

const TOKEN = 'a-token-from-a-mail';

test('an invited person creates their account', async () => {
  window.history.replaceState(null, '', '/invitation');
  const server = fakeServer();
  server.responds(getInvitation, { email: 'bob@example.com', fullName: 'Bob Cratchit' });
  show(<InvitationScreen token={TOKEN} />);
  expect(await screen.findByText(/Your e-mail address is bob@example\.com/)).toBeVisible();
  expect(screen.getByLabelText('Full name')).toHaveValue('Bob Cratchit');
  await userEvent.type(screen.getByLabelText('Username'), 'bob');
  await userEvent.type(screen.getByLabelText('Password'), 'god bless us');
  const message = 'This username is already taken';
  server.refuses(acceptInvitation, 'duplicate_username', message, { errors: [{ path: 'username', message }] });
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(screen.getByLabelText('Username')).toHaveAccessibleDescription(new RegExp(message)));
  expect(screen.getByLabelText('Password')).toHaveValue('god bless us');

  server.responds(acceptInvitation, bob);
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(window.location.pathname).toBe('/'));
  expect(server.last(acceptInvitation)?.body).toEqual({
    ...{ token: TOKEN, username: 'bob', fullName: 'Bob Cratchit', password: 'god bless us' },
  });
});

test.each([
  [undefined, 'This link is not complete. Open it again from the e-mail.'],
  [TOKEN, 'This invitation is not valid, or no longer. Please ask for a new one.'],
])('the token %s is refused: %s', async (token, message) => {
  fakeServer().refuses(getInvitation, 'invalid_token', message);
  show(<InvitationScreen token={token} />);
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('where only single sign-on works, it leads to the sign-in page', async () => {
  const message = 'Continue with Example ID on the sign-in page: that creates your account.';
  fakeServer().refuses(getInvitation, 'sso_required', message);
  show(<InvitationScreen token="a-token" />);
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to the sign-in page' })).toHaveAttribute('href', '/auth');
  expect(screen.queryByLabelText('Password')).toBeNull();
});
