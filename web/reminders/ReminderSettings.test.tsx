import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import * as calls from '#contract/reminders/reminders.calls.ts';
import { fakeNotification } from '#web/testing/fake-notification.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { ReminderSettings } from './ReminderSettings.tsx';

const CREATED = '2026-11-16T09:00:00.000Z';
const URL = 'https://highstreet.example/api/calendar/secret.ics';

function open(settings: Partial<calls.ReminderSettings> = {}, as = ada) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  const current = { morningEmail: true, weeklyEmail: false, calendarCreatedAt: null, ...settings };
  server.responds(calls.getReminderSettings, current);
  return { server, current, ...show(<ReminderSettings />, { as }) };
}
const findSwitch = (name: string) => screen.findByRole('switch', { name });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const confirm = (title: string, name: string) =>
  userEvent.click(
    within(screen.getByRole(/Revoke/.test(title) ? 'alertdialog' : 'dialog', { name: title })).getByRole('button', {
      name,
    }),
  );

test('the morning e-mail is switched off', async () => {
  const { server, current, toasts } = open();
  server.responds(calls.changeReminderSettings, { ...current, morningEmail: false });
  expect(await findSwitch('Morning e-mail')).toBeChecked();
  await userEvent.click(await findSwitch('Morning e-mail'));
  await waitFor(() => expect(toasts).toEqual(['Morning e-mail switched off']));
  expect(server.last(calls.changeReminderSettings)?.body).toEqual({ morningEmail: false });
  expect(await findSwitch('Morning e-mail')).not.toBeChecked();
});

test.each([
  ['user', 'your figures'],
  ['manager', "the team's figures"],
] as const)('a %s switches the Monday e-mail on, with %s', async (role, figures) => {
  const { server, current, toasts } = open({}, { ...ada, role });
  server.responds(calls.changeReminderSettings, { ...current, weeklyEmail: true });
  expect(await screen.findByText(new RegExp(`^On Mondays at 8:00.*, with ${figures} of last week`))).toBeVisible();
  expect(await findSwitch('Monday e-mail')).not.toBeChecked();
  await userEvent.click(await findSwitch('Monday e-mail'));
  await waitFor(() => expect(toasts).toEqual(['Monday e-mail switched on']));
  expect(server.last(calls.changeReminderSettings)?.body).toEqual({ weeklyEmail: true });
  expect(await findSwitch('Monday e-mail')).toBeChecked();
});

test("the time of the morning e-mail names the team's zone where the viewer's clock differs", async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  open();
  expect(await screen.findByText(/^At 8:00 GMT(\+1)?, with what is due today/)).toBeVisible();
});

test('a refused change says why and leaves the switch as it was', async () => {
  const { server, toasts } = open();
  server.refuses(calls.changeReminderSettings, 'internal', 'Something went wrong');
  await userEvent.click(await findSwitch('Morning e-mail'));
  await waitFor(() => expect(toasts).toEqual(['Failed to change the morning e-mail | 500: Something went wrong']));
  expect(await findSwitch('Morning e-mail')).toBeChecked();
});

test('settings that cannot be loaded can be loaded again', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.refuses(calls.getReminderSettings, 'internal', 'Something went wrong');
  show(<ReminderSettings />);
  expect(await screen.findByText('Your reminders could not be loaded.')).toBeVisible();
  server.responds(calls.getReminderSettings, {
    morningEmail: false,
    weeklyEmail: false,
    calendarCreatedAt: null,
  });
  await press('Try Again');
  expect(await findSwitch('Morning e-mail')).toBeVisible();
});

test('a calendar address is created, shown once and copied', async () => {
  const { server } = open();
  const user = userEvent.setup();
  server.responds(calls.createCalendarFeed, { url: URL, createdAt: CREATED });
  await press('Create calendar address');
  expect(await screen.findByLabelText('Calendar address')).toHaveValue(URL);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(URL);
});

test('where the clipboard is not available, the address is selected', async () => {
  const { server } = open();
  server.responds(calls.createCalendarFeed, { url: URL, createdAt: CREATED });
  await press('Create calendar address');
  const field = (await screen.findByLabelText('Calendar address')) as HTMLInputElement;
  const clipboard = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await press('Copy');
  expect(clipboard).toHaveBeenCalledWith(URL);
  await waitFor(() => expect([field.selectionStart, field.selectionEnd]).toEqual([0, URL.length]));
});

test('an address is replaced and revoked after a confirmation', async () => {
  const { server, current, toasts } = open({ calendarCreatedAt: CREATED });
  server.responds(calls.createCalendarFeed, { url: URL, createdAt: '2026-11-17T09:00:00.000Z' });
  server.responds(calls.revokeCalendarFeed, { ...current, calendarCreatedAt: null });
  expect(await screen.findByText('Nov 16, 2026')).toBeVisible();
  expect(screen.queryByLabelText('Calendar address')).toBeNull();

  await press('Replace');
  await confirm('Replace the calendar address?', 'Cancel');
  expect(server.times(calls.createCalendarFeed)).toBe(0);
  await press('Replace');
  await confirm('Replace the calendar address?', 'Replace');
  expect(await screen.findByLabelText('Calendar address')).toHaveValue(URL);

  await press('Revoke');
  await confirm('Revoke the calendar address?', 'Revoke');
  expect(await screen.findByRole('button', { name: 'Create calendar address' })).toBeVisible();
  expect(screen.queryByLabelText('Calendar address')).toBeNull();
  expect(toasts).toEqual(['Calendar address created', 'Calendar address revoked']);
});

test('notifications of the browser are switched on with its permission, and off', async () => {
  const { requestPermission } = fakeNotification();
  open();
  const toggle = await findSwitch('Notifications in this browser');
  expect(toggle).not.toBeChecked();
  expect(requestPermission).not.toHaveBeenCalled();
  await userEvent.click(toggle);
  await waitFor(() => expect(toggle).toBeChecked());
  expect(requestPermission).toHaveBeenCalledTimes(1);
  await userEvent.click(toggle);
  expect(toggle).not.toBeChecked();
});

test.each([
  ['denied', /are blocked in the settings/],
  [undefined, 'This browser cannot show notifications.'],
] as const)('with the permission %s the switch is disabled, with the reason', async (permission, reason) => {
  if (permission) fakeNotification(permission);
  open();
  expect(await findSwitch('Notifications in this browser')).toBeDisabled();
  expect(screen.getByText(reason)).toBeVisible();
});

test('the choice is one of the user and this browser, not of others', async () => {
  fakeNotification('granted');
  localStorage.setItem(`highstreet.browser-reminders.${ada.id + 1}`, 'on');
  open();
  expect(await findSwitch('Notifications in this browser')).not.toBeChecked();
});
