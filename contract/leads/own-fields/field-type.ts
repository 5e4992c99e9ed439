import type { z } from 'zod';
import type { TeamFormat } from '../../format.ts';

/** As a lead stores it, and as the API sends it. A choice is the id of the choice. */
export type OwnValue = string | number | boolean | string[];

/** One of the values that a field offers. It is stored by its id, which stays when it is renamed. */
export interface FieldChoice {
  id: string;
  label: string;
  /** No longer offered; leads keep it. */
  retired: boolean;
}

/** What of a field its values depend on. */
export interface FieldSettings {
  name: string;
  /** What a number counts. */
  unit: string;
  choices: readonly FieldChoice[];
}

/** How a list is filtered by values. All but the last two compare with operands, which the filter has. */
export const OPERATORS = ['contains', 'is', 'is_not', 'has', 'has_not', 'from', 'to', 'empty', 'not_empty'] as const;
export type Operator = (typeof OPERATORS)[number];

/** How a list is ordered by values: by their letters, by the values themselves, or by the places of the choices. */
export interface FieldOrder {
  by: 'letters' | 'value' | 'choices';
  names: readonly [ascending: string, descending: string];
}

/** What a type of field is. Whatever depends on the type of a field is derived from this. */
export interface FieldType<V extends OwnValue> {
  label: string;
  /** What only fields of some types have. */
  setting: 'unit' | 'choices' | null;
  /** How leads are found by a value: by the words of its text or, as by a tag, by the name of a choice. */
  found?: 'by words' | 'by choice';
  /** Its refusal is a sentence with the name of the field. */
  schema: (field: FieldSettings) => z.ZodType<V>;
  /** The text in a file, and where people edit it. */
  write: (value: V, field: FieldSettings) => string;
  /** The value that a text means, which `schema` has to check. It reads what `write` writes. */
  read: (text: string, field: FieldSettings) => unknown;
  /** The names of choices that a text has. */
  listLabels?: (text: string) => string[];
  /** As people read it. */
  format: (value: V, field: FieldSettings, team: TeamFormat) => string;
  /** What a list is filtered by, besides whether there is a value. */
  operators: readonly Operator[];
  order: FieldOrder;
  /** How the leads of a group of a report are filtered: by what has the value of its key. Missing where values are no groups. */
  group?: { operator: Operator; toOperand: (key: string) => string | boolean };
  /** Whether reports add up the values. */
  adds?: true;
  /** The value of a lead that two leads become; the kept one's where this is missing. */
  join?: (kept: V, other: V) => V;
}
