import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { LEAD_STATUS_LABEL, type LeadStatus, MAIN_STATUSES } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { usePlanFollowUp } from '#web/leads/follow-ups/follow-ups.data.ts';
import { TimeChooser } from '#web/leads/follow-ups/TimeChooser.tsx';
import { useChangeLeadStatus } from './profile.data.ts';

interface Props {
  leadRef: LeadRef;
  current: LeadStatus;
  mayChange: boolean;
}

export function LeadStatusButtons({ leadRef, current, mayChange }: Props) {
  const change = useChangeLeadStatus(leadRef);
  const plan = usePlanFollowUp(leadRef);
  // After "Recontact": the status is saved, and the date may follow.
  const [askingWhen, setAskingWhen] = useState(false);
  const pick = (status: LeadStatus) =>
    change.mutate(status, { onSuccess: () => setAskingWhen(status === 'recontact') });
  // A status that only the bulk menu offers is shown while the lead has it.
  const offered = MAIN_STATUSES.includes(current) ? MAIN_STATUSES : [...MAIN_STATUSES, current];

  return (
    <Card className="flex flex-col">
      <CardTitle>Lead Status</CardTitle>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form, these act at once */}
      <div
        role="group"
        aria-label="Lead status"
        className="grid flex-1 grid-cols-2 gap-2 lg:auto-rows-[minmax(2.5rem,3.25rem)] lg:grid-cols-1"
      >
        {offered.map((status) => (
          <Button
            key={status}
            variant={status === current ? 'primary' : 'secondary'}
            className={clsx(
              'max-sm:px-2 aria-disabled:cursor-not-allowed',
              status === current ? 'disabled:opacity-100' : 'font-normal',
            )}
            aria-pressed={status === current}
            disabled={!mayChange || (change.isPending && status !== change.variables)}
            // The pressed button is not `disabled` while it is saved: it would lose the focus.
            aria-disabled={(change.isPending && status === change.variables) || undefined}
            onClick={() => status !== current && !change.isPending && pick(status)}
          >
            {status === current && <Check aria-hidden="true" />}
            {status === 'new' ? 'New Lead' : LEAD_STATUS_LABEL[status]}
          </Button>
        ))}
      </div>
      {askingWhen && (
        <div className="mt-4 flex flex-col gap-2">
          <p className="text-sm font-medium">When will you contact them again?</p>
          <TimeChooser
            label="When to follow up"
            busy={plan.isPending}
            onChoose={(at) => plan.mutate({ at }, { onSuccess: () => setAskingWhen(false) })}
            dismissLabel="No date"
            onDismiss={() => setAskingWhen(false)}
          />
        </div>
      )}
    </Card>
  );
}
