import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { confirmEmail } from '#contract/account/account.calls.ts';
import { getUser } from '#contract/auth/auth.calls.ts';
import { reportSignIn } from '#contract/auth/report-sign-in.calls.ts';
import { getReminderSettings, stopWeeklyEmail } from '#contract/reminders/reminders.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { ConfirmEmailScreen, ReportSignInScreen, StopWeeklyEmailScreen } from './LinkScreens.tsx';

const TOKEN = 'a-token-from-a-mail';

test.each([
  { Screen: ConfirmEmailScreen, call: confirmEmail, button: 'Confirm this address', next: 'Go to Highstreet' },
  { Screen: ReportSignInScreen, call: reportSignIn, button: 'This was not me', next: 'Go to Login' },
])('"$button" uses the link once it is pressed', async ({ Screen, call, button, next }) => {
  const server = fakeServer();
  server.responds(getUser, ada);
  server.refuses(call, 'invalid_token', 'This link is not valid, or no longer.');
  show(<Screen token={TOKEN} />);
  expect(server.times(call)).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: button }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This link is not valid, or no longer.');
  server.responds(call, { message: 'Done.' });
  await userEvent.click(screen.getByRole('button', { name: button }));
  expect(await screen.findByText('Done.')).toBeVisible();
  expect(server.last(call)?.body).toEqual({ token: TOKEN });
  expect(screen.getByRole('button', { name: next })).toBeVisible();
});

test('a link without its token says so', () => {
  fakeServer();
  show(<ConfirmEmailScreen token={undefined} />);
  expect(screen.getByRole('alert')).toHaveTextContent('This link is not complete. Open it again from the e-mail.');
  expect(screen.queryByRole('button', { name: 'Confirm this address' })).toBeNull();
});

test('the Monday e-mail is stopped once the button is pressed', async () => {
  const server = fakeServer();
  server.responds(getReminderSettings, { morningEmail: true, weeklyEmail: false, calendarCreatedAt: null });
  server.responds(stopWeeklyEmail, { message: 'You get no more Monday e-mails.' });
  show(<StopWeeklyEmailScreen token={TOKEN} />);
  expect(server.times(stopWeeklyEmail)).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Stop these e-mails' }));
  expect(await screen.findByText('You get no more Monday e-mails.')).toBeVisible();
  expect(server.last(stopWeeklyEmail)?.path).toBe(`/api/weekly-email/stop?token=${TOKEN}`);
});
