import { useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { describeSent } from './describe-sent.ts';
import { useSendAgain } from './webhooks.data.ts';

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];
const WHICH = [
  { value: 'failed', label: 'What failed' },
  { value: 'all', label: 'Everything' },
];

/** Sends the deliveries of a time again, such as when a receiver was broken. */
export function SendRangeAgain({ webhookId }: { webhookId: string }) {
  const send = useSendAgain(webhookId);
  const [hours, setHours] = useState('24');
  const [only, setOnly] = useState<'failed' | 'all'>('failed');
  const start = () => {
    const now = Date.now();
    const from = new Date(now - Number(hours) * HOUR_MS).toISOString();
    send.mutate({ from, to: new Date(now).toISOString(), only });
  };
  return (
    <fieldset className="flex flex-wrap items-end gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-medium">Send several again</legend>
      <SelectField
        className="grow basis-36"
        label="Of"
        options={PERIODS}
        value={hours}
        onChange={({ target }) => setHours(target.value)}
      />
      <SelectField
        className="grow basis-36"
        label="Which"
        options={WHICH}
        value={only}
        onChange={({ target }) => setOnly(target.value === 'all' ? 'all' : 'failed')}
      />
      <Button variant="secondary" busy={send.isPending} onClick={start}>
        Send again
      </Button>
      <p role="status" className="basis-full text-sm text-muted empty:hidden">
        {send.data && describeSent(send.data)}
      </p>
    </fieldset>
  );
}
