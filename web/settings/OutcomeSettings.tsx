import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type ActivityOutcome,
  activityOutcome,
  isFreeOutcome,
  type OutcomeRule,
  type OutcomeRules,
  OWN_CALLS,
  OWN_VISITS,
  type OwnOutcome,
  outcomeRules,
  resetStandardOutcomes,
  STANDARD_OUTCOMES,
} from '#contract/leads/log/outcomes.ts';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { CardHeadCell, CardTable } from '#web/kit/ui/tables/CardTable.tsx';
import { LastChange } from './LastChange.tsx';
import { OutcomeRow } from './OutcomeRow.tsx';
import { useChangeTeamSettings } from './settings.data.ts';

interface Props {
  saved: OutcomeRules;
  change: SettingChange | null;
}

/** The outcomes of a contact: their words, what they count as, and what they propose. */
export function OutcomeSettings({ saved, change }: Props) {
  /** Only while something is not saved: a change by another administrator does not replace what is typed. */
  const [edited, setEdited] = useState<OutcomeRules>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const save = useChangeTeamSettings();
  const form = useRef<HTMLFormElement>(null);
  const rules = edited ?? saved;
  const shown = activityOutcome.options.filter((outcome) => !isFreeOutcome(outcome, rules));
  const hasOwn = shown.length > STANDARD_OUTCOMES.length;

  const edit = (outcome: ActivityOutcome, part: Partial<OutcomeRule>) =>
    setEdited({ ...rules, [outcome]: { ...rules[outcome], ...part } });
  const add = (outcome: ActivityOutcome) => {
    // Its label is what is typed next.
    flushSync(() => edit(outcome, { label: '', offered: true }));
    form.current?.querySelector<HTMLElement>(`[data-outcome="${outcome}"] input`)?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = outcomeRules.safeParse(rules);
    if (!parsed.success) {
      setErrors(
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.slice(0, 2).join('.'), message])),
      );
      return;
    }
    setErrors({});
    if (!save.isPending) save.mutate({ outcomes: parsed.data }, { onSuccess: () => setEdited(undefined) });
  };
  const reset = () => {
    setErrors({});
    save.mutate({ outcomes: hasOwn ? resetStandardOutcomes(saved) : null }, { onSuccess: () => setEdited(undefined) });
  };

  return (
    <Card>
      <CardTitle>Outcomes</CardTitle>
      <form ref={form} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <p className="max-w-3xl text-sm text-muted">
          The buttons of the Log dialog and of work mode. Each proposes the next step of the lead, so that none is
          forgotten. Working days leave out weekends and bank holidays.
        </p>
        <CardTable
          label="Outcomes"
          head={
            <>
              <CardHeadCell>Label</CardHeadCell>
              <CardHeadCell>Next step in</CardHeadCell>
              <CardHeadCell>Reached</CardHeadCell>
              <CardHeadCell>Shown</CardHeadCell>
              <CardHeadCell>Default</CardHeadCell>
            </>
          }
        >
          {shown.map((outcome) => (
            <OutcomeRow
              key={outcome}
              outcome={outcome}
              rule={rules[outcome]}
              error={(part) => errors[`${outcome}.${part}`]}
              onEdit={(part) => edit(outcome, part)}
            />
          ))}
        </CardTable>
        <div className="flex flex-wrap items-center gap-2">
          <AddOwn label="Add an outcome of a call" of={OWN_CALLS} rules={rules} onAdd={add} />
          <AddOwn label="Add an outcome of a visit" of={OWN_VISITS} rules={rules} onAdd={add} />
        </div>
        {errors[''] && (
          <p role="alert" className="text-sm text-danger-text">
            {errors['']}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" busy={save.isPending} disabled={!edited}>
            Save outcomes
          </Button>
          {edited && (
            <Button
              variant="ghost"
              onClick={() => {
                setEdited(undefined);
                setErrors({});
              }}
            >
              Cancel
            </Button>
          )}
          {change && !change.reset && !edited && (
            <Button variant="secondary" busy={save.isPending} onClick={reset}>
              Use the defaults
            </Button>
          )}
          <LastChange change={change} />
        </div>
      </form>
    </Card>
  );
}

interface AddProps {
  label: string;
  of: readonly OwnOutcome[];
  rules: OutcomeRules;
  onAdd: (outcome: OwnOutcome) => void;
}

/** Names the first outcome that is free. One that is not shown any more keeps its name: contacts were logged with it. */
function AddOwn({ label, of, rules, onAdd }: AddProps) {
  const free = of.find((outcome) => isFreeOutcome(outcome, rules));
  return (
    <Button variant="secondary" size="sm" disabled={!free} onClick={() => free && onAdd(free)}>
      {label}
    </Button>
  );
}
