import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { FieldChoice } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import type { NewOwnField, OwnField, OwnFieldChanges } from '#contract/leads/own-fields/own-field.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads } from '#server/schema/leads.ts';
import { type OwnFieldState, ownFields } from '#server/schema/own-fields.ts';

const columns = {
  id: ownFields.id,
  name: ownFields.name,
  type: ownFields.type,
  help: ownFields.help,
  unit: ownFields.unit,
  choices: ownFields.choices,
  requiredToWin: ownFields.requiredToWin,
  inProfile: ownFields.inProfile,
  inTable: ownFields.inTable,
  onCard: ownFields.onCard,
  inForm: ownFields.inForm,
  archived: sql<boolean>`${ownFields.state} = 'archived'`,
};

/** A newer version, which ran before a rollback, may have stored fields of other types. */
const isKnown = inArray(ownFields.type, Object.keys(FIELD_TYPES) as FieldTypeKey[]);
const isThere = and(ne(ownFields.state, 'deleting'), isKnown);

/** In their order, archived ones included. */
export const listFields = (db: Db): Promise<OwnField[]> =>
  db.select(columns).from(ownFields).where(isThere).orderBy(asc(ownFields.position), asc(ownFields.id));

export async function findField(db: Db, id: number): Promise<OwnField | undefined> {
  const [field] = await db
    .select(columns)
    .from(ownFields)
    .where(and(eq(ownFields.id, id), isThere));
  return field;
}

/** Locked, so that it is changed as it was read. */
export async function lockField(tx: Db, id: number): Promise<OwnField | undefined> {
  const [field] = await tx
    .select(columns)
    .from(ownFields)
    .where(and(eq(ownFields.id, id), isThere))
    .for('update');
  return field;
}

/** Several, in an order that prevents deadlocks. */
export const lockFields = (tx: Db, ids: number[]): Promise<OwnField[]> =>
  tx
    .select(columns)
    .from(ownFields)
    .where(and(inArray(ownFields.id, ids), isThere))
    .orderBy(asc(ownFields.id))
    .for('update');

/** Locked as they are until the transaction ends: a value that is being written is seen by what deletes the field. */
export async function lockFieldsForValues(tx: Db, ids: number[]): Promise<OwnField[]> {
  return tx
    .select(columns)
    .from(ownFields)
    .where(and(inArray(ownFields.id, ids), isThere))
    .for('share');
}

/** Locked, so that two requests at once neither pass the limit nor get the same position. */
export async function lockOrder(tx: Db): Promise<number[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('own_fields'))`);
  const rows = await tx
    .select({ id: ownFields.id })
    .from(ownFields)
    .where(ne(ownFields.state, 'deleting'))
    .orderBy(asc(ownFields.position), asc(ownFields.id));
  return rows.map(({ id }) => id);
}

export async function isNameUsed(tx: Db, name: string, exceptId = 0): Promise<boolean> {
  const isSame = sql`lower(${ownFields.name}) = lower(${name})`;
  return (await tx.$count(ownFields, and(isSame, ne(ownFields.id, exceptId), ne(ownFields.state, 'deleting')))) > 0;
}

export async function insertField(
  tx: Db,
  field: Omit<NewOwnField, 'choices'> & { choices: FieldChoice[] },
  position: number,
): Promise<number> {
  const [row] = await tx
    .insert(ownFields)
    .values({ ...field, position })
    .returning({ id: ownFields.id });
  if (!row) throw new Error('The field was not created');
  return row.id;
}

type Changes = Omit<OwnFieldChanges, 'choices'> & { choices?: FieldChoice[]; state?: OwnFieldState };

export const updateField = (tx: Db, id: number, changes: Changes) =>
  tx.update(ownFields).set(changes).where(eq(ownFields.id, id));

export async function writeOrder(tx: Db, ids: number[]): Promise<void> {
  await tx.execute(sql`
    update own_fields set position = sorted.position
    from unnest(${sql.param(ids)}::int[]) with ordinality as sorted (id, position) where own_fields.id = sorted.id`);
}

const key = (fieldId: number) => sql`${String(fieldId)}::text`;

/** The number of leads with a value of the field. */
export const countValues = (db: Db, fieldId: number): Promise<number> =>
  db.$count(leads, sql`${leads.ownFields} ? ${key(fieldId)}`);

/** Deletes the values of the next leads. Returns their number, their holders and the last one. */
export async function deleteValues(tx: Db, fieldId: number, { after, limit }: { after: number; limit: number }) {
  const { rows } = await tx.execute<{ id: number; userId: number }>(sql`
    with next as (
      select id from user_businesses where id > ${after} and own_fields ? ${key(fieldId)} order by id limit ${limit} for update
    )
    update user_businesses lead set own_fields = lead.own_fields - ${key(fieldId)} from next where lead.id = next.id
    returning lead.id, lead.user_id as "userId"`);
  return rows;
}

/** Deletes the next changes of the field. Returns their number. */
export async function deleteChanges(tx: Db, fieldId: number, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from changes where id in (
      select id from changes where field = 'ownField' and item = ${key(fieldId)} order by id limit ${limit})`);
  return rowCount ?? 0;
}

export const deleteField = (tx: Db, id: number) => tx.delete(ownFields).where(eq(ownFields.id, id));

/** A field that is being deleted, but by no job of this kind. */
export async function findLeftField(tx: Db, kind: string): Promise<number | undefined> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select id from own_fields where state = 'deleting' and not exists (
      select from jobs where kind = ${kind} and jobs.state = 'running' and (input ->> 'fieldId')::int = own_fields.id)
    order by id limit 1`);
  return rows[0]?.id;
}
