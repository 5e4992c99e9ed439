import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body, Input } from '#contract/call.ts';
import type { DeliveryState } from '#contract/webhooks/delivery.ts';
import * as calls from '#contract/webhooks/webhooks.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';

/** While a delivery is open, its end is looked for. */
const OPEN_REFETCH_MS = 2_000;

export const useWebhooks = () =>
  useQuery({
    ...read(calls.listWebhooks),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some(({ on, open }) => on && open > 0) ? OPEN_REFETCH_MS : false),
  });

/** Its response has the secret: it is in no cache. */
export function useCreateWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof calls.createWebhook>['body']) => send(calls.createWebhook, { body }),
    onSuccess: () => void refetch(queries, calls.listWebhooks),
    gcTime: 0,
    meta: { errorTitle: 'Failed to make the webhook' },
  });
}

interface Changed extends Body<typeof calls.changeWebhook> {
  webhookId: string;
}

export function useChangeWebhook(success = 'Webhook saved') {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ webhookId, ...body }: Changed) => send(calls.changeWebhook, { params: { webhookId }, body }),
    onSettled: () => refetch(queries, calls.listWebhooks),
    meta: { success, errorTitle: 'Failed to change the webhook' },
  });
}

export function useDeleteWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (webhookId: string) => send(calls.deleteWebhook, { params: { webhookId } }),
    onSuccess: (webhooks) => queries.setQueryData(read(calls.listWebhooks).queryKey, webhooks),
    onError: () => void refetch(queries, calls.listWebhooks),
    meta: { success: 'Webhook deleted', errorTitle: 'Failed to delete the webhook' },
  });
}

/** Its response has the new secret: it is in no cache. */
export function useChangeWebhookKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (webhookId: string) => send(calls.changeWebhookKey, { params: { webhookId } }),
    onSuccess: () => void refetch(queries, calls.listWebhooks),
    gcTime: 0,
    meta: { errorTitle: 'Failed to change the key' },
  });
}

export function useTestWebhook() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (webhookId: string) => send(calls.testWebhook, { params: { webhookId } }),
    onSettled: () => refetch(queries, calls.listWebhooks, calls.listDeliveries),
    meta: { success: 'Test sent', errorTitle: 'Failed to send the test' },
  });
}

interface Page {
  state?: DeliveryState | undefined;
  before?: number | undefined;
}

export const useDeliveries = (webhookId: string, { state, before }: Page) =>
  useQuery({
    ...read(calls.listDeliveries, {
      params: { webhookId },
      query: { ...(state && { state }), ...(before !== undefined && { before }) },
    }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some((delivery) => delivery.state === 'due') ? OPEN_REFETCH_MS : false,
  });

export const useDelivery = (webhookId: string, deliveryId: number) =>
  useQuery({ ...read(calls.getDelivery, { params: { webhookId, deliveryId } }), refetchOnMount: 'always' });

export function useSendAgain(webhookId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof calls.sendAgain>['body']) => send(calls.sendAgain, { params: { webhookId }, body }),
    onSettled: () => refetch(queries, calls.listDeliveries, calls.getDelivery, calls.listWebhooks),
    meta: { errorTitle: 'Failed to send again' },
  });
}
