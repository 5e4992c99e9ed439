import { useRef, useState } from 'react';
import { MAX_WEBHOOKS, OLD_KEY_HOURS, type Webhook } from '#contract/webhooks/webhook.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { DeliveriesDialog } from './DeliveriesDialog.tsx';
import { KeyDialog } from './KeyDialog.tsx';
import { toHost } from './to-host.ts';
import { NewWebhookDialog, WebhookDialog } from './WebhookDialog.tsx';
import { type WebhookAction, WebhookItem } from './WebhookItem.tsx';
import { useChangeWebhookKey, useDeleteWebhook, useTestWebhook, useWebhooks } from './webhooks.data.ts';

/** Where the team's product tells other programs what happens, for administrators. */
export function WebhooksCard() {
  const webhooks = useWebhooks();
  const frame = useRef<HTMLDivElement>(null);
  const [making, setMaking] = useState(false);
  const [open, setOpen] = useState<{ action: WebhookAction; webhook: Webhook }>();
  const test = useTestWebhook();
  const act = (action: WebhookAction, webhook: Webhook) =>
    action === 'test' ? test.mutate(webhook.id) : setOpen({ action, webhook });
  const close = () => setOpen(undefined);
  const closeDeliveries = () => {
    close();
    // Meanwhile there may have been others.
    void webhooks.refetch();
  };
  const full = (webhooks.data?.length ?? 0) >= MAX_WEBHOOKS;
  return (
    <Card id="webhooks">
      <CardTitle>Webhooks</CardTitle>
      <div ref={frame} tabIndex={-1} className="flex flex-col items-start gap-4">
        <p className="max-w-3xl text-sm text-muted">
          Highstreet tells other programs what happens: it sends a signed request to their address, with ids and the
          names of changed fields. What they do not receive is sent again for three days.
        </p>
        {webhooks.isPending && <Loading label="Loading the webhooks…" />}
        {webhooks.isError && !webhooks.data && (
          <LoadError onRetry={() => void webhooks.refetch()}>The webhooks could not be loaded.</LoadError>
        )}
        {webhooks.data?.length === 0 && <p className="text-sm text-muted">There are no webhooks yet.</p>}
        {webhooks.data && webhooks.data.length > 0 && (
          <ul aria-label="Webhooks" className="flex w-full flex-col divide-y divide-line rounded-lg border border-line">
            {webhooks.data.map((webhook) => (
              <WebhookItem key={webhook.id} webhook={webhook} onAction={(action) => act(action, webhook)} />
            ))}
          </ul>
        )}
        {webhooks.data && (
          <Button variant="secondary" disabled={full} onClick={() => setMaking(true)}>
            Make a webhook
          </Button>
        )}
        {full && <p className="text-sm text-muted">A team can have {MAX_WEBHOOKS} webhooks.</p>}
      </div>
      {making && <NewWebhookDialog onClose={() => setMaking(false)} />}
      {open?.action === 'change' && <WebhookDialog webhook={open.webhook} onClose={close} />}
      {open?.action === 'deliveries' && <DeliveriesDialog webhook={open.webhook} onClose={closeDeliveries} />}
      {open?.action === 'key' && <ChangeKey webhook={open.webhook} onClose={close} />}
      {open?.action === 'delete' && (
        <DeleteWebhook webhook={open.webhook} onClose={close} onGone={() => frame.current?.focus()} />
      )}
    </Card>
  );
}

interface QuestionProps {
  webhook: Webhook;
  onClose: () => void;
}

function ChangeKey({ webhook, onClose }: QuestionProps) {
  const change = useChangeWebhookKey();
  if (change.data) {
    const { key } = change.data;
    return <KeyDialog webhook={webhook} secretKey={key} onClose={onClose} />;
  }
  return (
    <AlertDialog
      open
      tone="primary"
      onClose={onClose}
      title={`Change the key of the webhook to ${toHost(webhook.url)}?`}
      description={`For ${OLD_KEY_HOURS} hours requests have signatures of both keys, so that you can change it in the receiver.`}
      confirmLabel="Change key"
      busy={change.isPending}
      onConfirm={() => change.mutate(webhook.id)}
    />
  );
}

function DeleteWebhook({ webhook, onClose, onGone }: QuestionProps & { onGone: () => void }) {
  const remove = useDeleteWebhook();
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete the webhook to ${toHost(webhook.url)}?`}
      description="Nothing more is sent to it, and its deliveries are deleted."
      confirmLabel="Delete webhook"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(webhook.id, { onSettled: onClose })}
      onTriggerRemoved={onGone}
    />
  );
}
