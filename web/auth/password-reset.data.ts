import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getUser } from '#contract/auth/auth.calls.ts';
import { forgotPassword, resetPassword, verifyResetToken } from '#contract/auth/password-reset.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';

// No toasts: these screens show the outcome of their one form themselves.

export const useForgotPassword = () =>
  useMutation({
    mutationFn: (email: string) => send(forgotPassword, { body: { email } }),
    meta: { errorTitle: null },
  });

export const useResetToken = (token: string | undefined) =>
  useQuery({ ...read(verifyResetToken, { params: { token: token ?? '' } }), enabled: Boolean(token), gcTime: 0 });

export function useResetPassword(token: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => send(resetPassword, { body: { token, password } }),
    // The server has ended every session of the account, the one in this browser included.
    onSuccess: () => refetch(queries, getUser),
    meta: { errorTitle: null },
  });
}
