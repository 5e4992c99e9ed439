import { useMutation, useQuery } from '@tanstack/react-query';
import { forgotPassword, resetPassword, verifyResetToken } from '#contract/auth/auth.calls.ts';
import { read, send } from '#web/kit/api.ts';

// These screens are one form each and say how it went in their own place: a toast would only say it twice.

export const useForgotPassword = () =>
  useMutation({
    mutationFn: (email: string) => send(forgotPassword, { body: { email } }),
    meta: { failed: null },
  });

export const useResetToken = (token: string | undefined) =>
  useQuery({ ...read(verifyResetToken, { params: { token: token ?? '' } }), enabled: Boolean(token), gcTime: 0 });

export const useResetPassword = (token: string) =>
  useMutation({
    mutationFn: (password: string) => send(resetPassword, { body: { token, password } }),
    meta: { failed: null },
  });
