import { type FormEvent, useState } from 'react';
import {
  type ActivityOutcome,
  activityOutcome,
  DEFAULT_OUTCOMES,
  OUTCOME,
  type OutcomeRule,
  type OutcomeRules,
  outcomeRules,
  type ProposedDays,
} from '#contract/leads/log/outcomes.ts';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import { formatCounted } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable } from '#web/kit/ui/tables/CardTable.tsx';
import { LastChange } from './LastChange.tsx';
import { fromWhole, toWhole } from './setting-form.tsx';
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
  const rules = edited ?? saved;

  const edit = (outcome: ActivityOutcome, part: Partial<OutcomeRule>) =>
    setEdited({ ...rules, [outcome]: { ...rules[outcome], ...part } });
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
    save.mutate({ outcomes: null }, { onSuccess: () => setEdited(undefined) });
  };

  return (
    <Card>
      <CardTitle>Outcomes</CardTitle>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
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
          {activityOutcome.options.map((outcome) => (
            <OutcomeRow
              key={outcome}
              outcome={outcome}
              rule={rules[outcome]}
              error={(part) => errors[`${outcome}.${part}`]}
              onEdit={(part) => edit(outcome, part)}
            />
          ))}
        </CardTable>
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
          {change && !edited && (
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

const UNITS = [
  { value: 'none', label: 'Nothing' },
  { value: 'working', label: 'Working days' },
  { value: 'calendar', label: 'Days' },
];

interface RowProps {
  outcome: ActivityOutcome;
  rule: OutcomeRule;
  error: (part: keyof OutcomeRule) => string | undefined;
  onEdit: (part: Partial<OutcomeRule>) => void;
}

function OutcomeRow({ outcome, rule, error, onEdit }: RowProps) {
  const { label, reached, offered, next } = rule;
  const standard = DEFAULT_OUTCOMES[outcome];
  const name = standard.label;
  const mayPlan = outcome !== 'not_interested';
  return (
    <CardRow>
      <CardCell>
        <TextField
          label={`Label of “${name}”`}
          labelHidden
          className="lg:min-w-44"
          value={label}
          maxLength={30}
          error={error('label')}
          onChange={({ target }) => onEdit({ label: target.value })}
        />
      </CardCell>
      <CardCell label="Next step in">
        {mayPlan ? (
          <div className="flex items-start gap-2">
            {next && (
              <TextField
                label={`Days after “${name}”`}
                labelHidden
                className="w-20"
                inputMode="numeric"
                value={fromWhole(next.days)}
                error={error('next')}
                onChange={({ target }) => onEdit({ next: { ...next, days: toWhole(target.value) } })}
              />
            )}
            <SelectField
              label={`Next step after “${name}”`}
              labelHidden
              className="w-40"
              options={UNITS}
              value={next?.counted ?? 'none'}
              onChange={({ target }) => onEdit({ next: toNext(target.value, next) })}
            />
          </div>
        ) : (
          <span className="text-sm text-muted">Closed (Lost)</span>
        )}
      </CardCell>
      <CardCell label="Reached">
        <Checkbox
          labelHidden
          label={`“${name}” counts as reached`}
          checked={reached}
          onChange={({ target }) => onEdit({ reached: target.checked })}
        />
      </CardCell>
      <CardCell label="Shown">
        <Checkbox
          labelHidden
          label={`“${name}” is shown`}
          checked={offered}
          onChange={({ target }) => onEdit({ offered: target.checked })}
        />
      </CardCell>
      <CardCell label="Default:" className="text-sm text-muted">
        {describe(outcome, standard)}
      </CardCell>
    </CardRow>
  );
}

const toNext = (unit: string, next: ProposedDays | null): ProposedDays | null =>
  unit === 'none' ? null : { days: next?.days ?? 1, counted: unit as ProposedDays['counted'] };

function describe(outcome: ActivityOutcome, { label, reached, next }: OutcomeRule): string {
  const days = next && formatCounted(next.days, next.counted === 'working' ? 'working day' : 'day');
  const step = OUTCOME[outcome].step?.note;
  const plan =
    outcome === 'call_back' ? 'chosen each time' : days ? (next.days === 0 ? 'the same day' : `in ${days}`) : 'none';
  return [label, step ? `${step}, ${plan}` : plan, reached ? 'reached' : 'not reached'].join('; ');
}
