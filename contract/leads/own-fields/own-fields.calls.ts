import { z } from 'zod';
import { call } from '../../call.ts';
import { pathId } from '../../fields.ts';
import { job } from '../../jobs/job.ts';
import { MAX_OWN_FIELDS, newOwnField, ownField, ownFieldChanges } from './own-field.ts';

const params = z.object({ fieldId: pathId });
const fields = z.strictObject({ fields: z.array(ownField) });

export const listOwnFields = call({
  method: 'GET',
  path: '/api/own-fields',
  access: 'user',
  summary: "The fields of a lead that are the team's own, in their order, archived ones included.",
  response: fields,
  programs: 'all',
});

export const createOwnField = call({
  method: 'POST',
  path: '/api/own-fields',
  access: 'admin',
  summary: `Adds a field of the team's own, at most ${MAX_OWN_FIELDS} in all. Its type stays as it is. Audited.`,
  body: newOwnField,
  response: ownField,
  success: 201,
});

export const changeOwnField = call({
  method: 'PATCH',
  path: '/api/own-fields/:fieldId',
  access: 'admin',
  summary:
    'Changes what is sent of a field. A choice that is left out is no longer offered; leads that have it keep it. Audited.',
  params,
  body: ownFieldChanges,
  response: ownField,
});

export const orderOwnFields = call({
  method: 'PUT',
  path: '/api/own-fields/order',
  access: 'admin',
  summary: 'Puts these fields first, in this order; the others follow as they were. Audited.',
  body: z.strictObject({ ids: z.array(z.number().int()).min(1).max(MAX_OWN_FIELDS) }),
  response: fields,
});

export const archiveOwnField = call({
  method: 'POST',
  path: '/api/own-fields/:fieldId/archive',
  access: 'admin',
  summary: 'Hides a field; leads keep their values of it. Audited.',
  params,
  response: ownField,
});

export const restoreOwnField = call({
  method: 'POST',
  path: '/api/own-fields/:fieldId/restore',
  access: 'admin',
  summary: 'Shows an archived field again, with the values that leads have. Audited.',
  params,
  response: ownField,
});

export const countOwnFieldValues = call({
  method: 'GET',
  path: '/api/own-fields/:fieldId/values',
  access: 'admin',
  summary: 'The number of leads with a value of a field.',
  params,
  response: z.strictObject({ leads: z.number() }),
});

export const deleteOwnField = call({
  method: 'POST',
  path: '/api/own-fields/:fieldId/delete',
  access: 'admin',
  summary:
    'Deletes an archived field for good, as a job, with its values and their changes. Refused if another number of leads has a value than was confirmed. Audited.',
  params,
  body: z.strictObject({ leads: z.number().int().min(0) }),
  response: job,
});
