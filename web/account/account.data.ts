import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as calls from '#contract/account/account.calls.ts';
import { getProofs } from '#contract/account/proof.calls.ts';
import { getUser } from '#contract/auth/auth.calls.ts';
import { reportSignIn } from '#contract/auth/report-sign-in.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { Body } from '#contract/call.ts';
import { getReminderSettings, stopWeeklyEmail } from '#contract/reminders/reminders.calls.ts';
import { read, refetch, request, send } from '#web/kit/api.ts';
import { saveFile } from '#web/kit/files/save-file.ts';
import type { ToastMessages } from '#web/kit/queries.ts';

export const useAccount = () => useQuery({ ...read(calls.getAccount), refetchOnMount: 'always' });

export const useChangeName = () =>
  useAccountMutation((body: Body<typeof calls.changeName>) => send(calls.changeName, { body }), {
    success: 'Name changed',
    errorTitle: 'Failed to change the name',
  });

export const useChangePassword = () =>
  useAccountMutation((body: Body<typeof calls.changePassword>) => send(calls.changePassword, { body }), {
    success: { title: 'Password changed', description: 'All other sessions have ended.' },
    errorTitle: 'Failed to change the password',
  });

export const useChangeEmail = () =>
  useAccountMutation((body: Body<typeof calls.changeEmail>) => send(calls.changeEmail, { body }), {
    success: ({ newEmail }: calls.Account) => ({
      title: 'Confirm the new address',
      description: `We have sent a link to ${newEmail}.`,
    }),
    errorTitle: 'Failed to change the e-mail address',
  });

export const useWithdrawEmail = () =>
  useAccountMutation(() => send(calls.withdrawEmail), {
    success: 'The e-mail address stays as it is',
    errorTitle: 'Failed to keep the e-mail address',
  });

function useAccountMutation<V = void>(mutationFn: (variables: V) => Promise<calls.Account>, meta: ToastMessages) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (account) => {
      queries.setQueryData(read(calls.getAccount).queryKey, account);
      // The header shows the viewer's name.
      void refetch(queries, getUser, calls.listSessions, getProofs, getSettings);
    },
    meta,
  });
}

export const useSessions = () => useQuery({ ...read(calls.listSessions), refetchOnMount: 'always' });

export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(calls.endSession, { params: { id } }),
    onSuccess: (sessions) => setSessions(queries, sessions),
    onError: () => void refetch(queries, calls.listSessions),
    meta: { success: 'Session ended', errorTitle: 'Failed to end the session' },
  });
}

export function useEndOtherSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(calls.endOtherSessions),
    onSuccess: (sessions) => setSessions(queries, sessions),
    meta: { success: 'All other sessions have ended', errorTitle: 'Failed to end the other sessions' },
  });
}

const setSessions = (queries: QueryClient, sessions: calls.SessionItem[]) =>
  queries.setQueryData(read(calls.listSessions).queryKey, sessions);

export const useExportAccount = () =>
  useMutation({
    mutationFn: async () => saveFile('highstreet-account.json', await (await request(calls.exportAccount)).blob()),
    meta: { success: 'Your data was saved', errorTitle: 'Failed to save your data' },
  });

// No toasts: the screens of these two show the outcome themselves.

export function useConfirmEmail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => send(calls.confirmEmail, { body: { token } }),
    onSuccess: () => void refetch(queries, getUser, calls.getAccount),
    meta: { errorTitle: null },
  });
}

export function useStopWeeklyEmail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => send(stopWeeklyEmail, { query: { token } }),
    onSuccess: () => void refetch(queries, getReminderSettings),
    meta: { errorTitle: null },
  });
}

export function useReportSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => send(reportSignIn, { body: { token } }),
    // The session of this browser has ended as well.
    onSuccess: () => void refetch(queries, getUser),
    meta: { errorTitle: null },
  });
}
