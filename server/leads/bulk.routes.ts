import type { FastifyRequest } from 'fastify';
import type { Lead } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { canChangeLead, canReassignLead, type LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { audit } from '#server/kit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { once } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { inBulk } from './bulk.ts';
import * as change from './change-lead.sql.ts';
import { deleteLead } from './delete-lead.ts';
import { refusingSecondLead, requireTarget } from './hand-over.ts';
import { reassignLead } from './reassign-lead.ts';

export function bulkRoutes(app: App, { db, gate, clock }: Deps) {
  serve(app, gate, calls.bulkDelete, ({ body, ...asked }) =>
    bulk(asked, 'delete', () => ({
      ids: body().ids,
      work: (tx, lead) => deleteLead(tx, lead, asked.viewer, asked.address),
    })),
  );
  serve(app, gate, calls.bulkArchive, ({ body, ...asked }) =>
    bulk(asked, 'archive', () => ({ ids: body().ids, work: (tx, lead) => change.setArchived(tx, lead, true) })),
  );
  serve(app, gate, calls.bulkRestore, ({ body, ...asked }) =>
    bulk(asked, 'restore', () => ({ ids: body().ids, work: (tx, lead) => change.setArchived(tx, lead, false) })),
  );
  serve(app, gate, calls.bulkUpdateStatus, ({ body, ...asked }) =>
    bulk(asked, 'update-status', () => {
      const { ids, status } = body();
      const now = clock();
      return { ids, work: (tx, lead) => change.setStatus(tx, lead, status, now) };
    }),
  );
  serve(app, gate, calls.bulkReassign, ({ body, ...asked }) =>
    bulk(
      asked,
      'reassign',
      () => {
        const { ids, newUserId, notes } = body();
        const { viewer, address } = asked;
        return {
          ids,
          prepare: (tx) => requireTarget(tx, newUserId),
          // In a savepoint of its own: a business that the target has already must not undo the others.
          work: (tx, lead) =>
            refusingSecondLead(() =>
              tx.transaction((each) =>
                reassignLead(each, lead, { newUserId, notes: notes ?? undefined, viewer, address }),
              ),
            ),
        };
      },
      canReassignLead,
    ),
  );

  interface Task {
    ids: number[];
    /** Judges the whole call, before any lead is touched. */
    prepare?: (tx: Db) => Promise<unknown>;
    work: (tx: Db, lead: Lead) => Promise<unknown>;
  }

  function bulk(
    { viewer, request, address }: { viewer: Viewer; request: FastifyRequest; address: string },
    verb: string,
    read: () => Task,
    allowed: LeadPolicy = canChangeLead,
  ) {
    return db.transaction((tx) =>
      once(tx, request, async () => {
        const { ids, prepare, work } = read();
        await prepare?.(tx);
        const done = await inBulk(tx, { ids, viewer, allowed, work: (lead) => work(tx, lead) });
        const details = { verb, success: done.results.success, failed: done.results.failed };
        await audit(tx, { event: 'bulk_action', actorId: viewer.id, address, details });
        return done;
      }),
    );
  }
}
