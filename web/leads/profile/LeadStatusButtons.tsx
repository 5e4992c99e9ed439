import { clsx } from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  isClosed,
  LEAD_STATUS_LABEL,
  type Lead,
  type LeadStatus,
  leadStatus,
  MAIN_STATUSES,
} from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { COMMANDS, STATUS_COMMANDS, useCommands } from '#web/commands/commands.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Menu, MenuItem } from '#web/kit/ui/overlays/Menu.tsx';
import { usePlanFollowUp } from '#web/leads/follow-ups/follow-ups.data.ts';
import { KeepOrDrop } from '#web/leads/follow-ups/KeepOrDrop.tsx';
import { TimeChooser } from '#web/leads/follow-ups/TimeChooser.tsx';
import { useOnUndone } from '#web/leads/undo.data.ts';
import { useChangeLeadStatus } from './profile.data.ts';

/** Between the first contact and the close; most teams need none of them. */
const OTHER_STATUSES = leadStatus.options.filter((status) => !MAIN_STATUSES.includes(status));

interface Props {
  leadRef: LeadRef;
  lead: Lead;
  mayChange: boolean;
  /** While leads are worked through, the digits log outcomes. */
  hasKeys: boolean;
}

export function LeadStatusButtons({ leadRef, lead, mayChange, hasKeys }: Props) {
  const { status: current } = lead;
  const change = useChangeLeadStatus(leadRef);
  const group = useRef<HTMLDivElement>(null);
  const plan = usePlanFollowUp(leadRef);
  // The status is saved. After "Recontact" the date may follow, and a closed lead may not need what is planned.
  const [offer, setOffer] = useState<'time' | 'drop'>();
  const close = () => setOffer(undefined);
  useOnUndone(close);
  /** The offer disappears with the pressed button: the focus goes to the status that it follows. */
  const finishOffer = () => {
    close();
    group.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  };
  const pick = (status: LeadStatus) => {
    if (status === current || change.isPending) return;
    change.mutate(status, { onSuccess: () => setOffer(offerAfter(status, lead)) });
  };
  const pickByKey = (status: LeadStatus) => {
    // The other buttons are disabled while the change is saved: the focused one would lose the focus.
    const focused = document.activeElement;
    const button = group.current?.children[MAIN_STATUSES.indexOf(status)];
    if (group.current?.contains(focused) && button instanceof HTMLElement) button.focus();
    pick(status);
  };
  useCommands(
    Object.fromEntries(
      STATUS_COMMANDS.map(({ status, command }) => [command, mayChange && hasKeys && (() => pickByKey(status))]),
    ),
  );
  // Another status is shown while the lead has it.
  const offered = MAIN_STATUSES.includes(current) ? MAIN_STATUSES : [...MAIN_STATUSES, current];

  return (
    <Card className="flex flex-col">
      <CardTitle>Lead Status</CardTitle>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form, these act at once */}
      <div
        ref={group}
        role="group"
        aria-label="Lead status"
        // Beside a long list of details, the menu stays below the buttons.
        style={{ maxHeight: `calc(${offered.length} * 3.75rem)` }}
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
            aria-keyshortcuts={hasKeys ? findKey(status) : undefined}
            disabled={!mayChange || (change.isPending && status !== change.variables)}
            // The pressed button is not `disabled` while it is saved: it would lose the focus.
            aria-disabled={(change.isPending && status === change.variables) || undefined}
            onClick={() => pick(status)}
          >
            {status === current && <Check aria-hidden="true" />}
            {status === 'new' ? 'New Lead' : LEAD_STATUS_LABEL[status]}
          </Button>
        ))}
      </div>
      {mayChange && (
        <Menu
          busy={change.isPending}
          trigger={
            <Button variant="ghost" size="sm" className="mt-2 self-start font-normal">
              More statuses
              <ChevronDown aria-hidden="true" />
            </Button>
          }
        >
          {OTHER_STATUSES.map((status) => (
            <MenuItem key={status} onSelect={() => pick(status)}>
              {LEAD_STATUS_LABEL[status]}
              {status === current && <Check aria-label="current" className="ml-auto" />}
            </MenuItem>
          ))}
        </Menu>
      )}
      {offer === 'drop' && lead.nextStepAt && (
        <div className="mt-4">
          <KeepOrDrop leadRef={leadRef} lead={lead} onDone={finishOffer} />
        </div>
      )}
      {offer === 'time' && (
        <div className="mt-4 flex flex-col gap-2">
          <p className="text-sm font-medium">When will you contact them again?</p>
          <TimeChooser
            label="When to follow up"
            busy={plan.isPending}
            onChoose={(at) => plan.mutate({ at }, { onSuccess: finishOffer })}
            dismissLabel="No date"
            onDismiss={finishOffer}
          />
        </div>
      )}
    </Card>
  );
}

/** What is planned already keeps its time, type and note. */
function offerAfter(status: LeadStatus, { nextStepAt }: Lead) {
  if (status === 'recontact') return nextStepAt ? undefined : 'time';
  return isClosed(status) ? 'drop' : undefined;
}

function findKey(status: LeadStatus) {
  const entry = STATUS_COMMANDS.find((other) => other.status === status);
  return entry && COMMANDS[entry.command].keys[0];
}
