import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  changeReminderSettings,
  createCalendarFeed,
  getReminderSettings,
  type ReminderSettings,
  revokeCalendarFeed,
} from '#contract/reminders/reminders.calls.ts';
import { read, send } from '#web/kit/api.ts';
import type { ToastMessages } from '#web/kit/queries.ts';

export const useReminderSettings = () => useQuery({ ...read(getReminderSettings), refetchOnMount: 'always' });

export type ReminderEmail = 'morningEmail' | 'weeklyEmail';
export const EMAIL_LABEL: Record<ReminderEmail, string> = {
  morningEmail: 'Morning e-mail',
  weeklyEmail: 'Monday e-mail',
};

export const useSetEmail = (email: ReminderEmail) =>
  useSettingsMutation((on: boolean) => send(changeReminderSettings, { body: { [email]: on } }), {
    success: (settings: ReminderSettings) => `${EMAIL_LABEL[email]} switched ${settings[email] ? 'on' : 'off'}`,
    errorTitle: `Failed to change the ${email === 'morningEmail' ? 'morning e-mail' : 'Monday e-mail'}`,
  });

export const useRevokeCalendarFeed = () =>
  useSettingsMutation(() => send(revokeCalendarFeed), {
    success: 'Calendar address revoked',
    errorTitle: 'Failed to revoke the calendar address',
  });

function useSettingsMutation<V = void>(mutationFn: (variables: V) => Promise<ReminderSettings>, meta: ToastMessages) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (settings) => queries.setQueryData(read(getReminderSettings).queryKey, settings),
    meta,
  });
}

export function useCreateCalendarFeed() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(createCalendarFeed),
    onSuccess: ({ createdAt }) =>
      queries.setQueryData(
        read(getReminderSettings).queryKey,
        (settings) => settings && { ...settings, calendarCreatedAt: createdAt },
      ),
    meta: { success: 'Calendar address created', errorTitle: 'Failed to create the calendar address' },
  });
}
