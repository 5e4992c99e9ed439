import { useState } from 'react';
import { DELIVERY_DAYS, DELIVERY_STATE_LABEL, type DeliveryState, deliveryState } from '#contract/webhooks/delivery.ts';
import type { Webhook } from '#contract/webhooks/webhook.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { DeliveryItem } from './DeliveryItem.tsx';
import { SendRangeAgain } from './SendRangeAgain.tsx';
import { toHost } from './to-host.ts';
import { useDeliveries } from './webhooks.data.ts';

const STATES = [
  { value: '', label: 'All' },
  ...deliveryState.options.map((value) => ({ value, label: DELIVERY_STATE_LABEL[value] })),
];

/** What a webhook was told, and with what success. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [state, setState] = useState<DeliveryState>();
  // The first deliveries of the pages before this one.
  const [before, setBefore] = useState<number[]>([]);
  const deliveries = useDeliveries(webhook.id, { state, before: before.at(-1) });
  const { items, next } = deliveries.data ?? {};
  const choose = (value: string) => {
    setState(deliveryState.options.find((option) => option === value));
    setBefore([]);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Deliveries to ${toHost(webhook.url)}`}
      description={`Of the last ${DELIVERY_DAYS} days, the newest first.`}
    >
      <div className="flex flex-col gap-4">
        <SelectField
          label="State"
          options={STATES}
          value={state ?? ''}
          onChange={({ target }) => choose(target.value)}
        />
        {deliveries.isPending && <Loading label="Loading the deliveries…" />}
        {deliveries.isError && !deliveries.data && (
          <LoadError onRetry={() => void deliveries.refetch()}>The deliveries could not be loaded.</LoadError>
        )}
        {items?.length === 0 && <p className="text-sm text-muted">There are none.</p>}
        {items && items.length > 0 && (
          <ul aria-label="Deliveries" className="flex flex-col divide-y divide-line rounded-lg border border-line">
            {items.map((delivery) => (
              <DeliveryItem key={delivery.id} webhook={webhook} delivery={delivery} />
            ))}
          </ul>
        )}
        {(before.length > 0 || (next !== undefined && next !== null)) && (
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="sm"
              disabled={before.length === 0}
              onClick={() => setBefore(before.slice(0, -1))}
            >
              Newer
            </Button>
            <Button variant="secondary" size="sm" disabled={!next} onClick={() => next && setBefore([...before, next])}>
              Older
            </Button>
          </div>
        )}
        {webhook.on && <SendRangeAgain webhookId={webhook.id} />}
      </div>
    </Dialog>
  );
}
