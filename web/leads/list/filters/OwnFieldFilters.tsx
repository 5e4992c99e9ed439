import { type ReactNode, useState } from 'react';
import type { Operator } from '#contract/leads/own-fields/field-type.ts';
import type { FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { type OwnField, readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';
import {
  formatConditions,
  listOperators,
  type Operand,
  type OwnCondition,
  parseConditions,
} from '#contract/leads/own-fields/own-filter.ts';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { DayField } from '#web/kit/ui/forms/DayField.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { MultiChoice } from './MultiChoice.tsx';
import { useTypedText } from './use-typed-text.ts';

interface Props {
  /** The conditions, as the URL has them. */
  own: string;
  onChange: (own: string, options?: ChangeOptions) => void;
}

/** A filter for each field of the team's own. Those by archived fields are only removed, by their chips. */
export function OwnFieldFilters({ own, onChange }: Props) {
  const fields = useOwnFields().filter(({ archived }) => !archived);
  const conditions = parseConditions(own) ?? [];
  return fields.map((field) => {
    const change: FilterProps['onChange'] = (next, options) => {
      const others = conditions.filter(({ fieldId }) => fieldId !== field.id);
      // In one order, so that the same filter is the same URL.
      onChange(formatConditions([...others, ...next].sort((a, b) => a.fieldId - b.fieldId)), options);
    };
    const Filter = FILTERS[field.type];
    const current = conditions.filter(({ fieldId }) => fieldId === field.id);
    return <Filter key={field.id} field={field} conditions={current} onChange={change} />;
  });
}

interface FilterProps {
  field: OwnField;
  /** Those on the field. */
  conditions: OwnCondition[];
  onChange: (next: OwnCondition[], options?: ChangeOptions) => void;
}

/** How the values of each type are filtered. One that is missing does not compile. */
const FILTERS: Record<FieldTypeKey, (props: FilterProps) => ReactNode> = {
  text: TextFilter,
  long_text: TextFilter,
  number: (props) => <RangeFilter {...props} renderEnd={(end) => <NumberEnd {...end} />} />,
  money: (props) => <RangeFilter {...props} renderEnd={(end) => <NumberEnd {...end} />} />,
  date: (props) => <RangeFilter {...props} renderEnd={(end) => <DayEnd {...end} />} />,
  yes_no: YesNoFilter,
  choice: ChoiceFilter,
  choices: ChoiceFilter,
  link: TextFilter,
};

/** Both ends of a range are one way to compare. */
type Comparison = Exclude<Operator, 'from' | 'to'> | 'between';

const toComparison = (operator: Operator): Comparison =>
  operator === 'from' || operator === 'to' ? 'between' : operator;

const LABEL: Record<Comparison, string> = {
  contains: 'Contains',
  is: 'Is exactly',
  is_not: 'Is not',
  has: 'Has any of',
  has_not: 'Has none of',
  between: 'Between two values',
  empty: 'Is empty',
  not_empty: 'Is not empty',
};

interface ComparedProps extends FilterProps {
  labels?: Partial<Record<Comparison, string>>;
  /** What it is compared with. */
  children: (comparison: Comparison, change: FilterProps['onChange']) => ReactNode;
}

/** A field, and how its values are compared. A comparison that lacks what it compares with filters nothing yet. */
function Compared({ field, conditions, onChange, labels, children }: ComparedProps) {
  const [chosen, setChosen] = useState<Comparison>();
  const [current] = conditions;
  const comparison = current ? toComparison(current.operator) : chosen;
  const options = [...new Set(listOperators(field).map(toComparison))];
  const choose = (value: string) => {
    const next = options.find((option) => option === value);
    setChosen(next);
    if (next === 'empty' || next === 'not_empty') onChange([{ fieldId: field.id, operator: next, operands: [] }]);
    else if (next && next !== 'between' && current?.operands.length) onChange([{ ...current, operator: next }]);
    else onChange([]);
  };
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={field.name}
        options={[
          { value: '', label: 'Any' },
          ...options.map((value) => ({ value, label: labels?.[value] ?? LABEL[value] })),
        ]}
        value={comparison ?? ''}
        onChange={({ target }) => choose(target.value)}
      />
      {comparison &&
        children(comparison, (next, options) => {
          // Without a text, the comparison stays for the next one.
          setChosen(comparison);
          onChange(next, options);
        })}
    </div>
  );
}

const hasOperands = (comparison: Comparison) => comparison !== 'empty' && comparison !== 'not_empty';

function TextFilter(props: FilterProps) {
  const { field, conditions } = props;
  return (
    <Compared {...props}>
      {(comparison, change) =>
        hasOperands(comparison) &&
        comparison !== 'between' && (
          <TypedField
            label={`Text of ${field.name}`}
            labelHidden
            value={String(conditions[0]?.operands[0] ?? '')}
            normalise={(text) => text.trim()}
            onSettle={(text, options) =>
              change(text ? [{ fieldId: field.id, operator: comparison, operands: [text] }] : [], options)
            }
          />
        )
      }
    </Compared>
  );
}

interface TypedFieldProps {
  label: string;
  labelHidden?: boolean;
  value: string;
  normalise: (text: string) => string;
  error?: (text: string) => string | undefined;
  inputMode?: 'decimal';
  onSettle: (text: string, options: ChangeOptions) => void;
}

function TypedField({ value, normalise, error, onSettle, ...input }: TypedFieldProps) {
  const { text, setText, settle, end } = useTypedText(value, normalise, onSettle);
  return (
    <TextField
      {...input}
      autoComplete="off"
      maxLength={200}
      value={text}
      error={error?.(text)}
      onChange={({ target }) => setText(target.value)}
      onBlur={end}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}

interface EndProps {
  field: OwnField;
  label: string;
  operand: Operand | undefined;
  onChange: (operand: Operand | undefined, options: ChangeOptions) => void;
}

function RangeFilter({ renderEnd, ...props }: FilterProps & { renderEnd: (end: EndProps) => ReactNode }) {
  const { field, conditions } = props;
  const renderOne = (operator: 'from' | 'to', change: FilterProps['onChange']) =>
    renderEnd({
      field,
      label: `${field.name} ${operator}`,
      operand: conditions.find((condition) => condition.operator === operator)?.operands[0],
      onChange: (operand, options) => {
        const others = conditions.filter((condition) => condition.operator !== operator);
        const own = operand === undefined ? [] : [{ fieldId: field.id, operator, operands: [operand] }];
        change(operator === 'from' ? [...own, ...others] : [...others, ...own], options);
      },
    });
  return (
    <Compared {...props}>
      {(comparison, change) =>
        comparison === 'between' && (
          <div className="grid gap-2 sm:grid-cols-2">
            {renderOne('from', change)}
            {renderOne('to', change)}
          </div>
        )
      }
    </Compared>
  );
}

function NumberEnd({ field, label, operand, onChange }: EndProps) {
  const read = (text: string) => readValue(field, text);
  const toNumber = (text: string) => {
    const number = read(text);
    return 'value' in number && typeof number.value === 'number' ? number.value : undefined;
  };
  const normalise = (text: string) => writeValue(field, toNumber(text));
  return (
    <TypedField
      label={label}
      inputMode="decimal"
      value={writeValue(field, operand)}
      normalise={normalise}
      error={(text) => {
        const number = read(text);
        return 'error' in number ? number.error : undefined;
      }}
      onSettle={(text, options) => onChange(toNumber(text), options)}
    />
  );
}

const DayEnd = ({ label, operand, onChange }: EndProps) => (
  <DayField
    label={label}
    value={String(operand ?? '')}
    onChange={(day, options) => onChange(day || undefined, options)}
  />
);

const CHOICE_LABELS = { is: 'Is any of', is_not: 'Is none of' };
const CHOICE_WORDS = { one: 'choice', several: 'choices', none: '' };

function ChoiceFilter(props: FilterProps) {
  const { field, conditions } = props;
  return (
    <Compared {...props} labels={CHOICE_LABELS}>
      {(comparison, change) =>
        hasOperands(comparison) &&
        comparison !== 'between' && (
          <MultiChoice
            label={`Choices of ${field.name}`}
            labelHidden
            words={CHOICE_WORDS}
            max={field.choices.length}
            // Leads have those, too, that are no longer offered.
            options={field.choices.map(({ id, label }) => ({ value: id, label }))}
            selected={conditions[0]?.operands.map(String) ?? []}
            onChange={(ids) => change(ids.length ? [{ fieldId: field.id, operator: comparison, operands: ids }] : [])}
          />
        )
      }
    </Compared>
  );
}

/** Yes, no, or whether it was answered. */
function YesNoFilter({ field, conditions, onChange }: FilterProps) {
  const [current] = conditions;
  const value = current?.operator === 'is' ? String(current.operands[0]) : (current?.operator ?? '');
  const toConditions = (chosen: string): OwnCondition[] => {
    const fieldId = field.id;
    if (chosen === 'empty' || chosen === 'not_empty') return [{ fieldId, operator: chosen, operands: [] }];
    return chosen ? [{ fieldId, operator: 'is', operands: [chosen === 'true'] }] : [];
  };
  return (
    <SelectField
      label={field.name}
      options={YES_NO}
      value={value}
      onChange={({ target }) => onChange(toConditions(target.value))}
    />
  );
}

const YES_NO = [
  { value: '', label: 'Any' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
  { value: 'empty', label: LABEL.empty },
  { value: 'not_empty', label: LABEL.not_empty },
];
