import { inArray } from 'drizzle-orm';
import { formatDateTime, type TeamFormat } from '#contract/format.ts';
import { type DetailKey, mapDetails } from '#contract/leads/fields/detail-fields.ts';
import type { ChangeField, ShownChange } from '#contract/leads/fields/logged-change.ts';
import { ACTIVITY_TYPE_LABEL, DELETED_USER, LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { formatValue, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { users } from '#server/schema/users.ts';
import type { ChangeValues } from './change-values.ts';

interface StoredChange {
  field: ChangeField;
  item: string;
  before: unknown;
  after: unknown;
}

/** The text of each field's value. Empty where the value says nothing to a reader: the field alone does. */
type Texts = { [F in ChangeField]: (value: ChangeValues[F], context: Context, item: string) => string };

/** The text of a field whose type of value is not known. */
type AnyText = (value: unknown, context: Context, item: string) => string;

interface Context extends TeamFormat {
  userName: (userId: number) => string;
  /** By the item of a change. */
  ownFields: ReadonlyMap<string, OwnField>;
}

const TEXTS: Texts = {
  ...(mapDetails(({ format }) => format) satisfies Pick<Texts, DetailKey>),
  lead: ({ userId }, { userName }) => userName(userId),
  status: (status) => LEAD_STATUS_LABEL[status],
  archived: (archived) => (archived ? 'Archived' : 'Active'),
  existingCustomer: (marked) => (marked ? 'Yes' : 'No'),
  holder: ({ userId }, { userName }) => userName(userId),
  tag: (tag) => tag,
  ownField: (value, { ownFields, ...team }, item) => {
    const field = ownFields.get(item);
    return field ? formatValue(field, value, team) : '';
  },
  notes: () => '',
  followUp: ({ type, at, note }, { timeZone }) =>
    `${ACTIVITY_TYPE_LABEL[type]}, ${formatDateTime(at, timeZone)}${note && `: ${note}`}`,
  activity: ({ row }) => (row ? ACTIVITY_TYPE_LABEL[row.type] : ''),
  credit: ({ userId }, { userName }) => userName(userId),
  phone: ({ text }) => text ?? '',
  wrongPhone: (phone) => phone,
  website: ({ text }) => text ?? '',
  town: (town) => town,
  type: ({ label, guessed }) => (label && guessed ? `${label} (guessed)` : (label ?? '')),
  merge: ({ names }) => names.join(', '),
};

/** Changes as people read them. Users have the names they have now. */
export async function showChanges(db: Db, stored: StoredChange[], team: TeamFormat): Promise<ShownChange[]> {
  const userIds = new Set(stored.flatMap(({ before, after }) => [readUserId(before), readUserId(after)]));
  const rows = await db
    .select({ id: users.id, username: users.username, fullName: users.fullName })
    .from(users)
    .where(
      inArray(
        users.id,
        [...userIds].filter((id) => id !== undefined),
      ),
    );
  const names = new Map(rows.map(({ id, username, fullName }) => [id, fullName || username]));
  const own = stored.some(({ field }) => field === 'ownField') ? await listFields(db) : [];
  const ownFields = new Map(own.map((field) => [String(field.id), field]));
  const context: Context = { ...team, userName: (userId) => names.get(userId) ?? DELETED_USER, ownFields };
  const show = ({ field, item }: StoredChange, value: unknown) =>
    value === null ? null : (TEXTS[field] as AnyText)(value, context, item) || null;
  return stored.map((change) => {
    const name = change.field === 'ownField' ? ownFields.get(change.item)?.name : undefined;
    return {
      field: change.field,
      ...(name && { name }),
      before: show(change, change.before),
      after: show(change, change.after),
    };
  });
}

const readUserId = (value: unknown) =>
  typeof value === 'object' && value !== null && 'userId' in value ? Number(value.userId) : undefined;
