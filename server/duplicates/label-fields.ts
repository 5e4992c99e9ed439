import { isDeepStrictEqual } from 'node:util';
import { MERGE_FIELD_LABEL } from '#contract/duplicates/merge.ts';
import { DETAIL_KEYS, type Details } from '#contract/leads/fields/detail-fields.ts';
import { CHANGE_FIELD_LABEL } from '#contract/leads/fields/logged-change.ts';
import type { OwnField, OwnValues } from '#contract/leads/own-fields/own-field.ts';
import type { MergedTable, Row } from '#server/leads/merged-rows.sql.ts';

/** The fields of a business and of a lead as people see them, by column. Columns that are not shown are left out. */
const LABELS: Partial<Record<MergedTable, Record<string, string>>> = {
  businesses: {
    name: MERGE_FIELD_LABEL.name,
    formatted_address: MERGE_FIELD_LABEL.address,
    vicinity: MERGE_FIELD_LABEL.address,
    town: MERGE_FIELD_LABEL.town,
    phone: MERGE_FIELD_LABEL.phone,
    international_phone: MERGE_FIELD_LABEL.phone,
    wrong_phone: CHANGE_FIELD_LABEL.wrongPhone,
    website: MERGE_FIELD_LABEL.website,
    type: MERGE_FIELD_LABEL.type,
    latitude: MERGE_FIELD_LABEL.position,
    longitude: MERGE_FIELD_LABEL.position,
  },
  user_businesses: {
    user_id: CHANGE_FIELD_LABEL.holder,
    status: CHANGE_FIELD_LABEL.status,
    archived: CHANGE_FIELD_LABEL.archived,
    existing_customer: CHANGE_FIELD_LABEL.existingCustomer,
    last_contacted_at: 'Last contact',
    next_step_at: CHANGE_FIELD_LABEL.followUp,
    next_step_type: CHANGE_FIELD_LABEL.followUp,
    credited_at: CHANGE_FIELD_LABEL.credit,
    notes: CHANGE_FIELD_LABEL.notes,
    tags: 'Tags',
  },
};

/** The labels of these columns of a row, each once. */
export function labelFields(
  table: MergedTable,
  columns: string[],
  { now, after, ownFields }: { now: Row; after: Row; ownFields: OwnField[] },
): string[] {
  const labels = Object.entries(LABELS[table] ?? {}).flatMap(([column, label]) =>
    columns.includes(column) ? [label] : [],
  );
  // The details are one column.
  if (columns.includes('custom_fields')) {
    const [values, merged] = [now, after].map((row) => row.custom_fields as Details);
    const changed = DETAIL_KEYS.filter((field) => values?.[field] !== merged?.[field]);
    labels.push(...changed.map((field) => CHANGE_FIELD_LABEL[field]));
  }
  if (columns.includes('own_fields')) {
    const [values, merged] = [now, after].map((row) => row.own_fields as OwnValues);
    const changed = ownFields.filter(({ id }) => !isDeepStrictEqual(values?.[id], merged?.[id]));
    labels.push(...changed.map(({ name }) => name));
  }
  return [...new Set(labels)];
}
