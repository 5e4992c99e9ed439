import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changePushSettings, getPush, type PushSettings } from '#contract/push/push.calls.ts';
import { read, send } from '#web/kit/api.ts';
import { readPushAbility } from './device-push.ts';

export const usePush = () => useQuery({ ...read(getPush), enabled: readPushAbility() === 'able' });

export function useChangePushSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (settings: Partial<PushSettings>) => send(changePushSettings, { body: settings }),
    onSuccess: (push) => queries.setQueryData(read(getPush).queryKey, push),
    meta: { success: 'Notifications changed', errorTitle: 'Failed to change the notifications' },
  });
}
