import { randomUUID } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import { FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import {
  hasNoRepetition,
  MAX_OWN_FIELDS,
  MAX_STORED_CHOICES,
  mergeChoices,
  type OfferedChoice,
  type OwnField,
} from '#contract/leads/own-fields/own-field.ts';
import * as calls from '#contract/leads/own-fields/own-fields.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { insertJob, toJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishSettings } from '#server/live/publish.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { DELETE_FIELD, type DeletedField } from './delete-field-job.ts';
import * as fields from './own-fields.sql.ts';

export function ownFieldRoutes(app: App, { db, guard, jobs }: Deps) {
  serve(app, guard, calls.listOwnFields, async () => ({ fields: await fields.listFields(db) }));

  serve(app, guard, calls.createOwnField, ({ body, ...ctx }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, ctx.viewer);
      const field = body();
      const order = await fields.lockOrder(tx);
      if (order.length >= MAX_OWN_FIELDS) {
        throw new Refusal(
          'too_many_fields',
          `A team can have at most ${MAX_OWN_FIELDS} fields, archived ones included`,
        );
      }
      await requireFreeName(tx, field.name);
      const id = await fields.insertField(tx, { ...field, choices: mergeChoices([], field.choices) }, order.length + 1);
      return announce(tx, id, 'create', ctx);
    }),
  );

  serve(app, guard, calls.changeOwnField, ({ params: { fieldId }, body, ...ctx }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, ctx.viewer);
      const field = await requireField(tx, fieldId);
      const { choices, ...changes } = body();
      if (changes.name !== undefined) await requireFreeName(tx, changes.name, fieldId);
      await fields.updateField(tx, fieldId, { ...changes, ...(choices && { choices: changeChoices(field, choices) }) });
      return announce(tx, fieldId, 'change', ctx);
    }),
  );

  serve(app, guard, calls.orderOwnFields, ({ body, viewer, ip }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const { ids } = body();
      const order = await fields.lockOrder(tx);
      if (!ids.every((id) => order.includes(id))) throw noField();
      await fields.writeOrder(tx, [...new Set([...ids, ...order])]);
      await audit(tx, { event: 'field_changed', actorId: viewer.id, ip, details: { verb: 'order' } });
      await publishSettings(tx);
      return { fields: await fields.listFields(tx) };
    }),
  );

  for (const [call, verb, state] of [
    [calls.archiveOwnField, 'archive', 'archived'],
    [calls.restoreOwnField, 'restore', 'active'],
  ] as const) {
    serve(app, guard, call, ({ params: { fieldId }, body, ...ctx }) =>
      db.transaction(async (tx) => {
        await requireCurrentRole(tx, ctx.viewer);
        const field = await requireField(tx, fieldId);
        body();
        if (field.archived === (state === 'archived')) return field;
        await fields.updateField(tx, fieldId, { state });
        return announce(tx, fieldId, verb, ctx);
      }),
    );
  }

  serve(app, guard, calls.countOwnFieldValues, async ({ params: { fieldId } }) => {
    if (!(await fields.findField(db, fieldId))) throw noField();
    return { leads: await fields.countValues(db, fieldId) };
  });

  serve(app, guard, calls.deleteOwnField, async ({ params: { fieldId }, body, viewer, ip }) => {
    const started = await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const { archived } = await requireField(tx, fieldId);
      const confirmed = body();
      if (!archived) throw new Refusal('field_not_archived', 'Please archive this field before you delete it');
      const leads = await fields.countValues(tx, fieldId);
      if (leads !== confirmed.leads) {
        const message = `${leads} leads have a value now, not ${confirmed.leads}. Please check and confirm again.`;
        throw new Refusal('count_changed', message, { extra: { count: leads } });
      }
      const input: DeletedField = { fieldId, after: 0 };
      const job = await insertJob(tx, {
        ...{ id: randomUUID(), kind: DELETE_FIELD, userId: viewer.id, ip, input, total: leads },
      });
      if (!job) throw new Refusal('bulk_running', 'Another field is still being deleted. Please wait until it is.');
      await fields.updateField(tx, fieldId, { state: 'deleting' });
      await audit(tx, { event: 'field_changed', actorId: viewer.id, ip, details: { verb: 'delete', fieldId } });
      await publishSettings(tx);
      return toJob(job);
    });
    void jobs.run();
    return started;
  });
}

async function requireField(tx: Db, id: number): Promise<OwnField> {
  const field = await fields.lockField(tx, id);
  if (!field) throw noField();
  return field;
}

const noField = () => new Refusal('not_found', 'This field no longer exists');

async function requireFreeName(tx: Db, name: string, exceptId?: number) {
  if (await fields.isNameUsed(tx, name, exceptId)) {
    throw new Refusal('duplicate_name', 'There is a field of this name already; it may be archived');
  }
}

function changeChoices(field: OwnField, offered: OfferedChoice[]) {
  if (FIELD_TYPES[field.type].setting !== 'choices') throw invalid('A field of this type has no choices');
  if (!offered.every(({ id }) => id === undefined || field.choices.some((choice) => choice.id === id))) {
    throw invalid('One of these choices no longer exists');
  }
  const choices = mergeChoices(field.choices, offered);
  if (!hasNoRepetition(choices)) throw invalid('An older choice has this name already');
  if (choices.length > MAX_STORED_CHOICES) {
    throw invalid(`A field can have at most ${MAX_STORED_CHOICES} choices, those included that are no longer offered`);
  }
  return choices;
}

const invalid = (message: string) =>
  new Refusal('validation_failed', message, { errors: [{ path: 'choices', message }] });

/** Audits a change, tells open pages, and returns the field. */
async function announce(tx: Db, fieldId: number, verb: string, { viewer, ip }: { viewer: Viewer; ip: string }) {
  await audit(tx, { event: 'field_changed', actorId: viewer.id, ip, details: { verb, fieldId } });
  await publishSettings(tx);
  const field = await fields.findField(tx, fieldId);
  if (!field) throw noField();
  return field;
}
