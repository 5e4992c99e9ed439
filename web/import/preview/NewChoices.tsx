import type { ImportChoices, ImportPreview } from '#contract/import/import-job.ts';
import { formatRows } from '#web/import/describe-import.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';

type FieldWithNew = ImportPreview['newChoices'][number];

interface Props {
  fields: FieldWithNew[];
  chosen: ImportChoices['newChoices'];
  onChange: (chosen: ImportChoices['newChoices']) => void;
}

/** The values of own fields that are no choices of them: those that are ticked become choices. */
export function NewChoices({ fields, chosen, onChange }: Props) {
  const findLabels = ({ fieldId }: FieldWithNew) => chosen.find((each) => each.fieldId === fieldId)?.labels ?? [];
  const choose = (field: FieldWithNew, labels: string[]) => {
    const others = chosen.filter(({ fieldId }) => fieldId !== field.fieldId);
    onChange(labels.length ? [...others, { fieldId: field.fieldId, labels }] : others);
  };
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h3 className="font-semibold">New choices</h3>
        <p className="text-sm text-muted">
          These values are no choices of their fields. What you tick is added for the whole team when you import; rows
          with other values are refused.
        </p>
      </div>
      {fields.map((field) => (
        <NewChoicesOfField
          key={field.fieldId}
          field={field}
          ticked={findLabels(field)}
          onTick={(labels) => choose(field, labels)}
        />
      ))}
    </section>
  );
}

interface FieldProps {
  field: FieldWithNew;
  ticked: string[];
  onTick: (labels: string[]) => void;
}

function NewChoicesOfField({ field: { name, labels, others, room }, ticked, onTick }: FieldProps) {
  const isFull = ticked.length >= room;
  const all = labels.map(({ label }) => label);
  const hasAll = all.every((label) => ticked.includes(label));
  return (
    <fieldset className="rounded-md border border-line px-4 py-3">
      <legend className="px-1 text-sm font-medium">{name}</legend>
      <ul className="flex flex-col">
        {labels.map(({ label, rows }) => (
          <li key={label} className="py-0.5 [overflow-wrap:anywhere]">
            <Checkbox
              label={`${label} (${formatRows(rows)})`}
              checked={ticked.includes(label)}
              disabled={isFull && !ticked.includes(label)}
              onChange={({ target }) =>
                onTick(target.checked ? [...ticked, label] : ticked.filter((each) => each !== label))
              }
            />
          </li>
        ))}
      </ul>
      {others > 0 && <p className="text-sm text-muted">and {formatCount(others)} more, which cannot be added here</p>}
      {all.length > room && <p className="text-sm text-muted">{describeRoom(name, room)}</p>}
      {all.length > 1 && all.length <= room && (
        <Button variant="link" size="sm" className="-ml-3" onClick={() => onTick(hasAll ? [] : all)}>
          {hasAll ? 'Add none' : 'Add all'} <span className="sr-only">to {name}</span>
        </Button>
      )}
    </fieldset>
  );
}

const describeRoom = (name: string, room: number) =>
  room > 0 ? `“${name}” can have ${formatCount(room)} more.` : `“${name}” cannot have more choices.`;
