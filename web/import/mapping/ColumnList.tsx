import { clsx } from 'clsx';
import type { FileColumn } from '#contract/import/import-job.ts';
import { BUILT_IN_TARGETS, type ImportTarget, importTarget, listOwnTargets } from '#contract/import/import-target.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { labelTarget } from '#web/import/describe-import.ts';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';

/** What a column can become; the team's own fields come after Highstreet's. */
const listOptions = (fields: OwnField[]) =>
  [
    ...BUILT_IN_TARGETS.filter((target) => target !== 'Note' && target !== 'Ignore'),
    ...listOwnTargets(fields).keys(),
    'Note' as const,
    'Ignore' as const,
  ].map((target) => ({ value: target, label: labelTarget(target, fields) }));

interface Props {
  columns: FileColumn[];
  targets: ImportTarget[];
  onChange: (index: number, target: ImportTarget) => void;
}

/** Each column of the file with its first values, and what it becomes. */
export function ColumnList({ columns, targets, onChange }: Props) {
  const options = listOptions(useOwnFields());
  return (
    <ol aria-label="Columns of the file" className="divide-y divide-line rounded-md border border-line">
      {columns.map(({ heading, samples }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a column; headings may repeat
          key={index}
          className={clsx(
            'grid items-center gap-x-6 gap-y-3 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_15rem]',
            targets[index] === 'Ignore' && 'bg-paper',
          )}
        >
          <div className="flex min-w-0 flex-col gap-1 text-sm">
            <p className="font-medium [overflow-wrap:anywhere]">
              <span className="text-muted tabular-nums">{index + 1}.</span> {heading.trim() || <i>No heading</i>}
            </p>
            <p className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
              {samples.length > 0 ? samples.join(' · ') : <i>Empty</i>}
            </p>
          </div>
          <SelectField
            label={`Column ${index + 1} becomes`}
            labelHidden
            options={options}
            value={targets[index] ?? 'Ignore'}
            onChange={({ currentTarget }) => onChange(index, importTarget.parse(currentTarget.value))}
          />
        </li>
      ))}
    </ol>
  );
}
