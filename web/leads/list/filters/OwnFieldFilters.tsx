import { type ReactNode, useState } from 'react';
import type { Operator } from '#contract/leads/own-fields/field-type.ts';
import { FIRST_DATE, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { type OwnField, readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';
import {
  findInvalidCondition,
  formatConditions,
  listOperators,
  type Operand,
  type OwnCondition,
  parseConditions,
} from '#contract/leads/own-fields/own-filter.ts';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { DayField } from '#web/kit/ui/forms/DayField.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { MultiChoice } from './MultiChoice.tsx';
import { TypedField, type TypedProps } from './TypedField.tsx';

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
  number: (props) => <RangeFilter {...props} renderValue={(value) => <NumberValue {...value} />} />,
  money: (props) => <RangeFilter {...props} renderValue={(value) => <NumberValue {...value} />} />,
  date: (props) => <RangeFilter {...props} renderValue={(value) => <DayValue {...value} />} />,
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
    onChange(next ? compareBy(field, next, current) : []);
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
      {comparison && OPPOSITES.includes(comparison) && <p className="text-sm text-muted">{WITHOUT_VALUE}</p>}
    </div>
  );
}

/** What is compared in another way stays, where it can be compared in that way. */
function compareBy(field: OwnField, comparison: Comparison, current: OwnCondition | undefined): OwnCondition[] {
  const operands = hasOperands(comparison) ? (current?.operands ?? []) : [];
  const operator = comparison === 'between' ? 'from' : comparison;
  const next: OwnCondition = { fieldId: field.id, operator, operands };
  return findInvalidCondition([next], [field]) ? [] : [next];
}

const OPPOSITES: Comparison[] = ['is_not', 'has_not'];
const WITHOUT_VALUE = 'Leads without a value are included.';

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
            comparison={comparison}
            {...(comparison === 'contains' ? { normalise: trim } : normaliseBy(field))}
            onSettle={(text, options) =>
              change(text ? [{ fieldId: field.id, operator: comparison, operands: [text] }] : [], options)
            }
          />
        )
      }
    </Compared>
  );
}

const trim = (text: string) => text.trim();

/** A whole value is typed: as the field has it, or the reason why it is none. */
const normaliseBy = (field: OwnField): Pick<TypedProps, 'normalise' | 'error'> => ({
  normalise: (text) => {
    const read = readValue(field, text);
    return 'value' in read && read.value !== null ? writeValue(field, read.value) : '';
  },
  error: (text) => {
    const read = readValue(field, text);
    return 'error' in read ? read.error : undefined;
  },
});

interface ValueProps {
  field: OwnField;
  label: string;
  labelHidden?: boolean;
  operand: Operand | undefined;
  onChange: (operand: Operand | undefined, options: ChangeOptions) => void;
}

type RangeProps = FilterProps & { renderValue: (value: ValueProps) => ReactNode };

/** One value, or both ends of a range. */
function RangeFilter({ renderValue, ...props }: RangeProps) {
  const { field, conditions } = props;
  const toOwn = (operator: Operator, operand: Operand | undefined): OwnCondition[] =>
    operand === undefined ? [] : [{ fieldId: field.id, operator, operands: [operand] }];
  const renderEnd = (operator: 'from' | 'to', change: FilterProps['onChange']) =>
    renderValue({
      field,
      label: `${field.name} ${operator}`,
      operand: conditions.find((condition) => condition.operator === operator)?.operands[0],
      onChange: (operand, options) => {
        const others = conditions.filter((condition) => condition.operator !== operator);
        const own = toOwn(operator, operand);
        change(operator === 'from' ? [...own, ...others] : [...others, ...own], options);
      },
    });
  return (
    <Compared {...props}>
      {(comparison, change) => {
        if (!hasOperands(comparison)) return null;
        if (comparison === 'between') {
          return (
            <div className="grid gap-2 sm:grid-cols-2">
              {renderEnd('from', change)}
              {renderEnd('to', change)}
            </div>
          );
        }
        return renderValue({
          field,
          label: `Value of ${field.name}`,
          labelHidden: true,
          operand: conditions[0]?.operands[0],
          onChange: (operand, options) => change(toOwn(comparison, operand), options),
        });
      }}
    </Compared>
  );
}

function NumberValue({ field, operand, onChange, ...labels }: ValueProps) {
  const toNumber = (text: string) => {
    const number = readValue(field, text);
    return 'value' in number && typeof number.value === 'number' ? number.value : undefined;
  };
  return (
    <TypedField
      {...labels}
      inputMode="decimal"
      value={writeValue(field, operand)}
      {...normaliseBy(field)}
      onSettle={(text, options) => onChange(toNumber(text), options)}
    />
  );
}

const DayValue = ({ field: _, operand, onChange, ...labels }: ValueProps) => (
  <DayField
    {...labels}
    first={FIRST_DATE}
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

/** Yes, no, not one of them, or whether it was answered. */
function YesNoFilter({ field, conditions, onChange }: FilterProps) {
  const [current] = conditions;
  const chosen = YES_NO.find(
    ({ operator, operands }) => operator === current?.operator && String(operands) === String(current.operands),
  );
  const choose = (value: string) => {
    const next = YES_NO.find((option) => option.value === value);
    onChange(next ? [{ fieldId: field.id, operator: next.operator, operands: next.operands }] : []);
  };
  return (
    <SelectField
      label={field.name}
      options={[{ value: '', label: 'Any' }, ...YES_NO]}
      hint={chosen?.operator === 'is_not' ? WITHOUT_VALUE : undefined}
      value={chosen?.value ?? ''}
      onChange={({ target }) => choose(target.value)}
    />
  );
}

interface YesNoOption {
  value: string;
  label: string;
  operator: Operator;
  operands: boolean[];
}

const YES_NO: YesNoOption[] = [
  { value: 'yes', label: 'Yes', operator: 'is', operands: [true] },
  { value: 'no', label: 'No', operator: 'is', operands: [false] },
  { value: 'not-yes', label: 'Is not Yes', operator: 'is_not', operands: [true] },
  { value: 'not-no', label: 'Is not No', operator: 'is_not', operands: [false] },
  { value: 'empty', label: LABEL.empty, operator: 'empty', operands: [] },
  { value: 'not-empty', label: LABEL.not_empty, operator: 'not_empty', operands: [] },
];
