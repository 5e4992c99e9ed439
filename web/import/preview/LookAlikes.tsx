import { useId } from 'react';
import {
  type ImportChoices,
  type ImportPreview,
  type LookAlike,
  type LookAlikeKind,
  rowDecision,
} from '#contract/import/import-job.ts';
import { describeLookAlike } from '#web/import/describe-import.ts';
import { formatCount } from '#web/kit/format.ts';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { decideRow, findDecision, findRowDecision } from './use-choices.ts';

const HEADING: Record<LookAlikeKind, { one: string; several: string; hint: string }> = {
  held: {
    one: 'business is a lead already',
    several: 'businesses are leads already',
    hint: 'No second lead is added unless you say so.',
  },
  unclaimed: { one: 'business looks like an existing one', several: 'businesses look like existing ones', hint: '' },
  phone: {
    one: 'business has the phone number of another one',
    several: 'businesses have the phone number of another one',
    hint: 'The address does not confirm it: it may be another branch, or an office that they share. Please decide.',
  },
  file: {
    one: 'row looks like a row before',
    several: 'rows look like a row before',
    hint: 'The first one is kept.',
  },
};

interface Props {
  kind: LookAlikeKind;
  preview: ImportPreview;
  choices: ImportChoices;
  onChange: (changed: Partial<ImportChoices>) => void;
}

/** The look-alikes of one kind: one decision for all, and exceptions. */
export function LookAlikes({ kind, preview, choices, onChange }: Props) {
  const headingId = useId();
  const lookAlikes = preview.lookAlikes.filter((each) => each.kind === kind);
  const count = preview.lookAlikeCounts[kind];
  if (count === 0) return null;
  const { one, several, hint } = HEADING[kind];
  const more = count - lookAlikes.length;
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h3 id={headingId} className="font-semibold">
          {formatCount(count)} {count === 1 ? one : several}
        </h3>
        {hint && <p className="text-sm text-muted">{hint}</p>}
      </div>
      {count > 1 && (
        <SelectField
          label="All of them"
          className="sm:w-72"
          placeholder="Choose…"
          options={listOptions(kind)}
          value={findDecision(choices, kind) ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ decisions: { ...choices.decisions, [kind]: rowDecision.parse(currentTarget.value) } })
          }
        />
      )}
      <section
        aria-labelledby={headingId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-md border border-line"
      >
        <ul className="divide-y divide-line">
          {lookAlikes.map((each) => (
            <li
              key={each.row}
              className="grid items-center gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_18rem]"
            >
              <p className="text-sm [overflow-wrap:anywhere]">{describeLookAlike(each)}</p>
              <SelectField
                label={`Row ${each.row}`}
                labelHidden
                placeholder="Choose…"
                options={listOptions(kind, each)}
                value={findRowDecision(choices, each) ?? ''}
                onChange={({ currentTarget }) =>
                  onChange(decideRow(choices, each.row, rowDecision.parse(currentTarget.value)))
                }
              />
            </li>
          ))}
        </ul>
      </section>
      {more > 0 && (
        <p className="text-sm text-muted">
          The best {formatCount(lookAlikes.length)} are listed; the other {formatCount(more)} follow the choice for all.
        </p>
      )}
    </div>
  );
}

function listOptions(kind: LookAlikeKind, lookAlike?: LookAlike) {
  if (kind === 'file') {
    return [
      { value: 'leave', label: 'Keep one' },
      { value: 'new', label: 'Add as new' },
    ];
  }
  const holder = lookAlike?.holder?.name.split(' ')[0];
  const leave = holder ? `Leave it with ${holder}` : kind === 'held' ? 'Leave them where they are' : 'Leave it out';
  const existing = { value: 'existing', label: holder ? 'Add a second lead' : 'Use the existing business' };
  const isItself = lookAlike && lookAlike.match.reasons.length === 0;
  return [
    ...(kind === 'unclaimed' ? [existing] : [{ value: 'leave', label: leave }, existing]),
    ...(isItself ? [] : [{ value: 'new', label: 'Add as new' }]),
    ...(kind === 'unclaimed' ? [{ value: 'leave', label: leave }] : []),
  ];
}
