import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { isLocalPath } from '#contract/local-path.ts';
import { addPushSubscription, getPush, removePushSubscription } from '#contract/push/push.calls.ts';
import { read, send } from '#web/kit/api.ts';
import { useBrowserReminders } from './browser-reminders.ts';
import { findDeviceSubscription, readPushAbility, subscribeDevice, toBody } from './device-push.ts';

/** This browser rings for the viewer where they chose so, and for nobody else. */
export function KeepPush() {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { state } = useBrowserReminders();

  const follow = useEffectEvent(async () => {
    const { queryKey } = read(getPush);
    if (state !== 'on') {
      const subscription = await findDeviceSubscription();
      if (!subscription) return;
      // Of the viewer, or of who used this browser before.
      await subscription.unsubscribe();
      queries.setQueryData(queryKey, await send(removePushSubscription));
      return;
    }
    const push = await queries.fetchQuery(read(getPush));
    const subscription = await subscribeDevice(push.publicKey);
    if (subscription.endpoint === push.endpoint) return;
    queries.setQueryData(queryKey, await send(addPushSubscription, { body: toBody(subscription) }));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each choice
  useEffect(() => {
    // What fails now is tried again at the next start; the settings say whether this browser rings.
    if (readPushAbility() === 'able') void follow().catch(() => {});
  }, [state]);

  const open = useEffectEvent((path: string) => navigate(path));
  useEffect(() => {
    if (readPushAbility() !== 'able') return;
    const onMessage = ({ data }: MessageEvent) => {
      if (isLocalPath(data?.open)) open(data.open);
    };
    const workers = navigator.serviceWorker;
    workers.addEventListener('message', onMessage);
    return () => workers.removeEventListener('message', onMessage);
  }, []);
  return null;
}
