import {
  type ActivityOutcome,
  DEFAULT_OUTCOMES,
  isFreeOutcome,
  OUTCOME,
  type OutcomeRule,
  type ProposedDays,
} from '#contract/leads/log/outcomes.ts';
import { formatCounted } from '#web/kit/format.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { CardCell, CardRow } from '#web/kit/ui/tables/CardTable.tsx';
import { fromWhole, toWhole } from './setting-form.tsx';

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

/** One outcome, with its default. */
export function OutcomeRow({ outcome, rule, error, onEdit }: RowProps) {
  const { label, reached, offered, next } = rule;
  const standard = DEFAULT_OUTCOMES[outcome];
  const name = standard.label;
  const mayPlan = outcome !== 'not_interested';
  return (
    <CardRow data-outcome={outcome}>
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
        {isFreeOutcome(outcome, DEFAULT_OUTCOMES) ? ownOf(outcome) : describe(outcome, standard)}
      </CardCell>
    </CardRow>
  );
}

const ownOf = (outcome: ActivityOutcome) => `Your own, of a ${OUTCOME[outcome].type === 'call' ? 'call' : 'visit'}`;

const toNext = (unit: string, next: ProposedDays | null): ProposedDays | null =>
  unit === 'none' ? null : { days: next?.days ?? 1, counted: unit as ProposedDays['counted'] };

function describe(outcome: ActivityOutcome, { label, reached, next }: OutcomeRule): string {
  const days = next && formatCounted(next.days, next.counted === 'working' ? 'working day' : 'day');
  const step = OUTCOME[outcome].step?.note;
  const plan =
    outcome === 'call_back' ? 'chosen each time' : days ? (next.days === 0 ? 'the same day' : `in ${days}`) : 'none';
  return [label, step ? `${step}, ${plan}` : plan, reached ? 'reached' : 'not reached'].join('; ');
}
