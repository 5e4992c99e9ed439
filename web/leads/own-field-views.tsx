import type { ReactNode } from 'react';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import type { FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { formatValue, type OwnField, readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';
import { useSettings } from '#web/auth/settings.data.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextareaField, TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { SafeLink } from '#web/kit/ui/SafeLink.tsx';
import { useNewLabels } from '#web/leads/use-new-labels.ts';

/** A control that edits a value as the text that `writeValue` writes. */
export interface ControlProps {
  field: OwnField;
  name?: string;
  className?: string;
  labelHidden?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  readOnly?: boolean;
  onChange: (text: string) => void;
}

interface OwnFieldView {
  Control: (props: ControlProps) => ReactNode;
  /** What edits it in a cell of the table, where that is not a line of text. In a panel, it is the control. */
  cell?: {
    type?: 'date';
    lines?: true;
    panel?: true;
    options?: (edited: Pick<ControlProps, 'field' | 'value'>) => string[];
  };
  /** Where its text alone is not how people see it. A link takes the class. */
  show?: (text: string, linkClass: string | undefined) => ReactNode;
}

const YES_NO = ['Yes', 'No'];

/** How the web edits and shows a value of each type. One that is missing does not compile. */
export const OWN_FIELD_VIEWS: Record<FieldTypeKey, OwnFieldView> = {
  text: { Control: (props) => <Line type="text" {...props} /> },
  long_text: {
    Control: ({ field, onChange, ...props }) => (
      <TextareaField label={field.name} {...props} onChange={({ target }) => onChange(target.value)} />
    ),
    cell: { lines: true },
    show: (text) => <span className="whitespace-pre-line">{text}</span>,
  },
  number: { Control: (props) => <Line type="text" inputMode="decimal" {...props} /> },
  money: { Control: (props) => <Line type="text" inputMode="decimal" {...props} /> },
  date: { Control: (props) => <Line type="date" {...props} />, cell: { type: 'date' } },
  yes_no: { Control: (props) => <OneOf options={YES_NO} {...props} />, cell: { options: () => YES_NO } },
  choice: { Control: OneChoice, cell: { options: listOffered } },
  choices: { Control: SeveralOf, cell: { panel: true } },
  link: {
    Control: (props) => <Line type="url" {...props} />,
    show: (url, linkClass) => <SafeLink to={url} {...(linkClass && { className: linkClass })} />,
  },
};

/** A value of a lead as people see it. */
export function OwnValueText({
  field,
  value,
  linkClass,
  oneLine = false,
}: {
  field: OwnField;
  value: OwnValue;
  linkClass?: string | undefined;
  /** Where there is no room for the lines of a text. */
  oneLine?: boolean;
}) {
  const { data: team } = useSettings();
  if (!team) return null;
  const text = formatValue(field, value, team);
  const { cell, show } = OWN_FIELD_VIEWS[field.type];
  return (oneLine && cell?.lines ? undefined : show?.(text, linkClass)) ?? text;
}

function Line({
  field,
  onChange,
  ...props
}: ControlProps & { type: 'text' | 'date' | 'url'; inputMode?: 'decimal' | undefined }) {
  return (
    <TextField
      label={field.unit ? `${field.name} (${field.unit})` : field.name}
      autoComplete="off"
      {...props}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function OneOf({ field, options, readOnly, onChange, ...props }: ControlProps & { options: string[] }) {
  return (
    <SelectField
      label={field.name}
      options={[{ value: '', label: 'None' }, ...options.map((value) => ({ value, label: value }))]}
      disabled={readOnly}
      {...props}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function OneChoice(props: ControlProps) {
  useNewLabels(props.field, props.value, props.onChange);
  return <OneOf options={listOffered(props)} {...props} />;
}

/** The choices that are offered, and those that the value has. */
function listOffered({ field, value }: Pick<ControlProps, 'field' | 'value'>): string[] {
  const chosen = readIds({ field, value });
  return field.choices.filter(({ id, retired }) => !retired || chosen.includes(id)).map(({ label }) => label);
}

/** None where the text means nothing, such as a draft with a choice that was renamed since. */
function readIds({ field, value }: Pick<ControlProps, 'field' | 'value'>): string[] {
  const read = readValue(field, value);
  return 'value' in read && read.value !== null ? ([read.value].flat() as string[]) : []; // the value of a choice
}

function SeveralOf(props: ControlProps) {
  const { field, name, className, labelHidden = false, hint, error, value, readOnly, onChange } = props;
  useNewLabels(field, value, onChange);
  const chosen = readIds({ field, value });
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
    onChange(next.length ? writeValue(field, next) : '');
  };
  return (
    <fieldset className={className} disabled={readOnly}>
      <legend className={labelHidden ? 'sr-only' : 'text-sm font-medium'}>{field.name}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1 pt-1">
        {field.choices
          .filter(({ id, retired }) => !retired || chosen.includes(id))
          .map(({ id, label }) => (
            <Checkbox key={id} name={name} label={label} checked={chosen.includes(id)} onChange={() => toggle(id)} />
          ))}
      </div>
      {error && (
        <p role="alert" className="mt-1 text-sm text-danger-text">
          {error}
        </p>
      )}
      {hint && <p className="mt-1 text-sm text-muted">{hint}</p>}
    </fieldset>
  );
}
