import type { Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { useDropFollowUp, useFollowUp } from './follow-ups.data.ts';
import { formatDue } from './format-due.ts';

interface Props {
  leadRef: LeadRef;
  lead: Lead;
  onDone: () => void;
}

/** Offered after a lead was closed that has a follow-up; nothing where none is planned any more. */
export function KeepOrDrop({ leadRef, lead: { nextStepAt }, onDone }: Props) {
  const { data: followUp, isError, refetch } = useFollowUp(leadRef, nextStepAt !== null);
  const drop = useDropFollowUp(leadRef);
  const timeZone = useTimeZone();
  if (nextStepAt && isError && !followUp)
    return <LoadError onRetry={() => void refetch()}>The planned follow-up could not be loaded.</LoadError>;
  if (!nextStepAt || !followUp || !timeZone) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form, these act at once
    <div role="group" aria-label="Planned follow-up" className="flex flex-col gap-2">
      <p aria-live="polite" className="text-sm">
        A follow-up is planned for {formatDue(nextStepAt, new Date(), timeZone)}.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onDone}>
          Keep it
        </Button>
        <Button
          variant="secondary"
          size="sm"
          busy={drop.isPending}
          onClick={() => drop.mutate(followUp.id, { onSuccess: onDone })}
        >
          Drop it
        </Button>
      </div>
    </div>
  );
}
