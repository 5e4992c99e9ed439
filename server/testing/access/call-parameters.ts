import { randomUUID } from 'node:crypto';
import type { AnyCall } from '#contract/call.ts';
import { imports } from '#server/schema/imports.ts';
import { contactActivities, leadComments } from '#server/schema/leads.ts';
import { sweeps } from '#server/schema/sweeps.ts';
import type { TestApp, TestUser } from '#server/testing/test-app.ts';

/** An existing value for every path parameter. */
export async function createParameters(t: TestApp, { path }: AnyCall, holder: TestUser) {
  const lead = await t.lead(holder, { tags: ['hot'] });
  const [activity] = await t.db
    .insert(contactActivities)
    .values({ userBusinessId: lead.id, type: 'call', description: 'Rang' })
    .returning();
  const [followUp] = await t.db
    .insert(contactActivities)
    .values({ userBusinessId: lead.id, type: 'call', description: '', scheduledAt: '2030-01-01T10:00:00.000Z' })
    .returning();
  const [comment] = await t.db
    .insert(leadComments)
    .values({ userBusinessId: lead.id, text: 'Rang?', createdBy: holder.id })
    .returning();
  const importId = randomUUID();
  await t.db.insert(imports).values({ id: importId, fileName: 'a.csv', state: 'mapping', batchId: randomUUID() });
  const sweepId = randomUUID();
  const sweep = { id: sweepId, businessType: 'Bakery', places: ['LS1'], provider: 'local', state: 'paused' } as const;
  await t.db.insert(sweeps).values({ ...sweep, places: [...sweep.places] });
  const ids = { '/api/users/:id': (await t.user()).id, '/api/imports/:id': importId, '/api/sweeps/:id': sweepId };
  return {
    id: Object.entries(ids).find(([beginning]) => path.startsWith(beginning))?.[1] ?? lead.id,
    uuid: lead.uuid,
    tag: 'hot',
    activityId: activity?.id,
    commentId: comment?.id,
    followUpId: followUp?.id,
    businessId: lead.businessId,
    placeId: lead.business.placeId,
    token: 'nonsense',
    objectionId: '00000000-0000-4000-8000-000000000000',
    batchId: '00000000-0000-4000-8000-000000000000',
    viewId: '00000000-0000-4000-8000-000000000000',
    jobId: '00000000-0000-4000-8000-000000000000',
    tripId: '00000000-0000-4000-8000-000000000000',
    tokenId: '00000000-0000-4000-8000-000000000000',
    webhookId: '00000000-0000-4000-8000-000000000000',
    deliveryId: 1,
    proposalId: '00000000-0000-4000-8000-000000000000',
    backupId: '00000000-0000-4000-8000-000000000000',
  };
}
