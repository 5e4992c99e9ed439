import { useId } from 'react';
import type { ImportPreview } from '#contract/import/import-job.ts';
import { formatCount } from '#web/kit/format.ts';
import { SelectField } from '#web/kit/ui/Select.tsx';
import { describeLookAlike } from './describe-import.ts';
import type { Decisions } from './import-decisions.ts';

const EXISTING = 'existing';
const NEW = 'new';
const OPTIONS = [
  { value: EXISTING, label: 'Use the existing business' },
  { value: NEW, label: 'Add as new' },
];
const toValue = (useExisting: boolean) => (useExisting ? EXISTING : NEW);

interface Props {
  preview: ImportPreview;
  decisions: Decisions;
  onChange: (changed: Pick<Decisions, 'useExisting'> | Pick<Decisions, 'useExistingInRow'>) => void;
}

/** New businesses that look like existing ones: one decision for all, and exceptions. */
export function LookAlikes({ preview: { lookAlikes, lookAlikeCount }, decisions, onChange }: Props) {
  const headingId = useId();
  const { useExisting, useExistingInRow } = decisions;
  const more = lookAlikeCount - lookAlikes.length;
  return (
    <div className="flex flex-col gap-3">
      <h3 id={headingId} className="font-semibold">
        {lookAlikeCount === 1
          ? '1 business looks like an existing one'
          : `${formatCount(lookAlikeCount)} businesses look like existing ones`}
      </h3>
      {lookAlikeCount > 1 && (
        <SelectField
          label="All of them"
          className="sm:w-72"
          options={OPTIONS}
          value={toValue(useExisting)}
          onChange={({ currentTarget }) => onChange({ useExisting: currentTarget.value === EXISTING })}
        />
      )}
      <section
        aria-labelledby={headingId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-md border border-line"
      >
        <ul className="divide-y divide-line">
          {lookAlikes.map((lookAlike) => {
            const { row } = lookAlike;
            return (
              <li key={row} className="grid items-center gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_18rem]">
                <p className="text-sm [overflow-wrap:anywhere]">{describeLookAlike(lookAlike)}</p>
                <SelectField
                  label={`Row ${row}`}
                  labelHidden
                  options={OPTIONS}
                  value={toValue(useExistingInRow.get(row) ?? useExisting)}
                  onChange={({ currentTarget }) =>
                    onChange({
                      useExistingInRow: new Map(useExistingInRow).set(row, currentTarget.value === EXISTING),
                    })
                  }
                />
              </li>
            );
          })}
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
