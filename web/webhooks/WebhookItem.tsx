import { MoreHorizontal } from 'lucide-react';
import { OFF_REASON_LABEL, type Webhook } from '#contract/webhooks/webhook.ts';
import { WEBHOOK_EVENT_LABEL, webhookEvent } from '#contract/webhooks/webhook-event.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCounted, formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/kit/ui/overlays/Menu.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { toHost } from './to-host.ts';
import { useChangeWebhook } from './webhooks.data.ts';

export type WebhookAction = 'deliveries' | 'change' | 'key' | 'test' | 'delete';

interface Props {
  webhook: Webhook;
  onAction: (action: WebhookAction) => void;
}

export function WebhookItem({ webhook, onAction }: Props) {
  const { url, on, publicKey, signature } = webhook;
  const host = toHost(url);
  return (
    <li aria-label={host} className="flex flex-wrap items-center gap-x-4 gap-y-3 p-3 text-sm">
      <div className="min-w-0 grow basis-72 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {url} <State webhook={webhook} />
        </p>
        <p className="text-muted">{describeEvents(webhook)}</p>
        {signature === 'ed25519' && (
          <p className="text-muted">
            Public key: <code className="font-mono">{publicKey}</code>
          </p>
        )}
        <Last webhook={webhook} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <OnSwitch webhook={webhook} />
        <Button variant="secondary" size="sm" onClick={() => onAction('deliveries')}>
          Deliveries<span className="sr-only"> to {host}</span>
        </Button>
        <Menu trigger={<IconButton icon={MoreHorizontal} label={`More for ${host}`} />}>
          <MenuItem disabled={!on} onSelect={() => onAction('test')}>
            Send a test
          </MenuItem>
          <MenuItem onSelect={() => onAction('change')}>Change</MenuItem>
          <MenuItem onSelect={() => onAction('key')}>Change the key</MenuItem>
          <MenuSeparator />
          <MenuItem tone="danger" onSelect={() => onAction('delete')}>
            Delete
          </MenuItem>
        </Menu>
      </div>
    </li>
  );
}

function State({ webhook: { on, offReason, failingSince, view } }: { webhook: Webhook }) {
  return (
    <>
      {on && !failingSince && <Badge tone="good">On</Badge>}
      {on && failingSince && <Badge tone="warn">Failing</Badge>}
      {!on && <Badge tone={offReason === 'user' ? 'neutral' : 'danger'}>{OFF_REASON_LABEL[offReason ?? 'user']}</Badge>}
      {view?.name === null && <Badge tone="warn">Told of no lead: its view was deleted</Badge>}
    </>
  );
}

function describeEvents({ events, view }: Webhook): string {
  const all = events.length === webhookEvent.options.length;
  const what = all ? 'All events' : events.map((event) => WEBHOOK_EVENT_LABEL[event]).join(', ');
  return view?.name ? `${what}; leads of the view “${view.name}”` : what;
}

function Last({ webhook: { last, open, oldKeyUntil } }: { webhook: Webhook }) {
  const timeZone = useTimeZone();
  const time = (at: string) => <TeamTime at={at} timeZone={timeZone} format={formatDateTime} className="min-w-32" />;
  return (
    <p className="text-muted">
      {last ? (
        <>
          Last request {time(last.at)}: {last.delivered ? 'delivered' : 'failed'}
        </>
      ) : (
        'Nothing sent yet'
      )}
      {open > 0 && `; ${formatCounted(open, 'delivery', 'deliveries')} open`}
      {oldKeyUntil && <>; signed with the old key, too, until {time(oldKeyUntil)}</>}
    </p>
  );
}

function OnSwitch({ webhook: { id, url, events, view, on } }: { webhook: Webhook }) {
  const change = useChangeWebhook(on ? 'Webhook switched off' : 'Webhook switched on');
  const toggle = () => change.mutate({ webhookId: id, url, events, viewId: view?.id ?? null, on: !on });
  return (
    <Switch
      label="On"
      aria-label={`Webhook to ${toHost(url)} is on`}
      checked={on}
      disabled={change.isPending}
      onChange={toggle}
    />
  );
}
