import { useRef, useState } from 'react';
import { z } from 'zod';
import {
  MAX_WEBHOOK_URL,
  newWebhook,
  WEBHOOK_SIGNATURE_LABEL,
  type Webhook,
  webhookSignature,
} from '#contract/webhooks/webhook.ts';
import { WEBHOOK_EVENT_LABEL, type WebhookEvent, webhookEvent } from '#contract/webhooks/webhook-event.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useViews } from '#web/views/views.data.ts';
import { KeyDialog } from './KeyDialog.tsx';
import { useChangeWebhook, useCreateWebhook } from './webhooks.data.ts';

/** Asks where to send what, and then shows the key. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateWebhook();
  if (create.data) {
    const { key, webhook } = create.data;
    return <KeyDialog webhook={webhook} secretKey={key} onClose={onClose} />;
  }
  return (
    <WebhookForm title="Make a webhook" submitLabel="Make webhook" onSubmit={create.mutateAsync} onClose={onClose} />
  );
}

export function WebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const change = useChangeWebhook();
  const save = async ({ url, events, viewId }: Given) => {
    await change.mutateAsync({ webhookId: webhook.id, url, events, viewId, on: webhook.on });
    onClose();
  };
  return (
    <WebhookForm title="Change the webhook" submitLabel="Save" webhook={webhook} onSubmit={save} onClose={onClose} />
  );
}

const form = z.object({ url: newWebhook.shape.url, viewId: z.string(), signature: webhookSignature });
type Given = z.output<typeof newWebhook>;

interface FormProps {
  title: string;
  submitLabel: string;
  webhook?: Webhook;
  onSubmit: (given: Given) => Promise<unknown>;
  onClose: () => void;
}

function WebhookForm({ title, submitLabel, webhook, onSubmit, onClose }: FormProps) {
  const views = useViews(useViewer());
  const [events, setEvents] = useState<WebhookEvent[]>(webhook?.events ?? []);
  const [missing, setMissing] = useState(false);
  const firstEvent = useRef<HTMLFieldSetElement>(null);
  const { view } = webhook ?? {};
  const fields = useForm(form, {
    defaults: { url: webhook?.url ?? '', viewId: view?.id ?? '', signature: webhook?.signature ?? 'hmac' },
    onSubmit: ({ viewId, ...given }) => {
      setMissing(events.length === 0);
      if (events.length) return onSubmit({ ...given, events, viewId: viewId || null });
      firstEvent.current?.querySelector('input')?.focus();
      return undefined;
    },
  });
  const toggle = (event: WebhookEvent, checked: boolean) => {
    setMissing(false);
    setEvents(webhookEvent.options.filter((each) => (each === event ? checked : events.includes(each))));
  };
  const saved = views.data?.all.filter(({ kind }) => kind !== 'built-in') ?? [];
  const gone = view && !saved.some(({ id }) => id === view.id);
  const options = [
    { value: '', label: 'All leads' },
    ...(gone ? [{ value: view.id, label: view.name ?? 'A view that was deleted' }] : []),
    ...saved.map(({ id, name, sharedBy }) => ({
      value: id,
      label: sharedBy ? `${name} (shared by ${sharedBy})` : name,
    })),
  ];
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form onSubmit={fields.submit}>
        <TextField
          label="Address"
          type="url"
          placeholder="https://"
          maxLength={MAX_WEBHOOK_URL}
          autoComplete="off"
          spellCheck={false}
          {...fields.field('url')}
        />
        <fieldset ref={firstEvent} className="flex flex-col gap-1">
          <legend className="mb-1 text-sm font-medium">Events</legend>
          {missing && (
            <p role="alert" className="text-sm text-danger-text">
              Please choose at least one event
            </p>
          )}
          <div className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
            {webhookEvent.options.map((event) => (
              <Checkbox
                key={event}
                label={WEBHOOK_EVENT_LABEL[event]}
                checked={events.includes(event)}
                aria-invalid={missing || undefined}
                onChange={({ target }) => toggle(event, target.checked)}
              />
            ))}
          </div>
        </fieldset>
        {/* Its default is one of its options: they must be there when it is mounted. */}
        {!views.isPending && (
          <SelectField
            label="Leads"
            hint="With a saved view: only events of leads that are in the view after the change."
            options={options}
            {...fields.field('viewId')}
          />
        )}
        {!webhook && (
          <SelectField
            label="Signature"
            options={webhookSignature.options.map((value) => ({ value, label: WEBHOOK_SIGNATURE_LABEL[value] }))}
            {...fields.field('signature')}
          />
        )}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={fields.busy}>
            {submitLabel}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
