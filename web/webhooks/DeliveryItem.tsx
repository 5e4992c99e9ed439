import { useState } from 'react';
import {
  DELIVERY_STATE_LABEL,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryState,
} from '#contract/webhooks/delivery.ts';
import type { Webhook } from '#contract/webhooks/webhook.ts';
import { formatSentEvent } from '#contract/webhooks/webhook-event.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCounted, formatDateTimeSeconds } from '#web/kit/format.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { useDelivery, useSendAgain } from './webhooks.data.ts';

const TONE: Record<DeliveryState, Tone> = { waiting: 'neutral', due: 'info', delivered: 'good', failed: 'danger' };

interface Props {
  webhook: Webhook;
  delivery: Delivery;
}

export function DeliveryItem({ webhook, delivery }: Props) {
  const { id, type, leadId, at, state, attempts, nextAttemptAt } = delivery;
  const [open, setOpen] = useState(false);
  const send = useSendAgain(webhook.id);
  const name = leadId === null ? formatSentEvent(type) : `${formatSentEvent(type)}, lead ${leadId}`;
  const ended = state === 'delivered' || state === 'failed';
  return (
    <li className="flex flex-col gap-2 p-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 grow basis-48">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {name} <Badge tone={TONE[state]}>{DELIVERY_STATE_LABEL[state]}</Badge>
          </p>
          <p className="text-muted">
            <Time at={at} />
            {attempts > 0 && `; ${formatCounted(attempts, 'attempt')}`}
            {state === 'due' && attempts > 0 && nextAttemptAt && (
              <>
                ; next <Time at={nextAttemptAt} />
              </>
            )}
          </p>
        </div>
        {webhook.on && ended && (
          <Button variant="secondary" size="sm" busy={send.isPending} onClick={() => send.mutate({ ids: [id] })}>
            Send again<span className="sr-only">: {name}</span>
          </Button>
        )}
        <Button variant="secondary" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          Details<span className="sr-only">: {name}</span>
        </Button>
      </div>
      {/* Read again after each attempt. */}
      {open && <Details key={`${state} ${attempts}`} webhookId={webhook.id} deliveryId={id} />}
    </li>
  );
}

function Details({ webhookId, deliveryId }: { webhookId: string; deliveryId: number }) {
  const delivery = useDelivery(webhookId, deliveryId);
  if (delivery.isPending) return <Loading label="Loading the delivery…" />;
  if (delivery.isError && !delivery.data) {
    return <LoadError onRetry={() => void delivery.refetch()}>The delivery could not be loaded.</LoadError>;
  }
  const { request, log } = delivery.data;
  return (
    <div className="flex flex-col gap-3 [overflow-wrap:anywhere]">
      <section aria-label="Request">
        <h3 className="font-medium">Request</h3>
        <p className="text-muted">
          POST {request.url}
          <br />
          webhook-id: {request.id}
        </p>
        <Text>{request.body}</Text>
      </section>
      <section aria-label="Attempts">
        <h3 className="font-medium">Attempts</h3>
        {log.length === 0 && <p className="text-muted">None yet.</p>}
        <ol className="flex flex-col gap-2">
          {log.map((attempt) => (
            <Attempt key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      </section>
    </div>
  );
}

function Attempt({ attempt: { at, ms, status, error, answer } }: { attempt: DeliveryAttempt }) {
  return (
    <li>
      <p className="text-muted">
        <Time at={at} />: {error ?? `answered with ${status}`}, after {(ms / 1_000).toFixed(1)} s
      </p>
      {answer && <Text>{answer}</Text>}
    </li>
  );
}

const Text = ({ children }: { children: string }) => (
  <pre className="mt-1 max-h-48 overflow-y-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap">
    {children}
  </pre>
);

function Time({ at }: { at: string }) {
  const timeZone = useTimeZone();
  return <TeamTime at={at} timeZone={timeZone} format={formatDateTimeSeconds} className="min-w-36" />;
}
