import { Refusal } from '#contract/errors.ts';
import * as calls from '#contract/proposals/proposals.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { createProposal } from './create-proposal.ts';
import { decideProposal } from './decide-proposal.ts';
import { listProposals, lockProposal } from './proposals.sql.ts';
import { showProposals } from './show-proposals.ts';

/** What programs propose to their users, who decide. */
export function proposalRoutes(app: App, { db, env: team, guard, clock }: Deps) {
  serve(app, guard, calls.createProposal, async ({ viewer, ip, body }) => {
    const { program } = viewer;
    if (!program) throw new Refusal('forbidden', 'Only programs make proposals');
    const proposed = body();
    return db.transaction((tx) => createProposal(tx, proposed, { viewer, program, ip, now: clock() }));
  });

  serve(app, guard, calls.listProposals, async ({ viewer }) =>
    showProposals(db, await listProposals(db, viewer.id), { viewer, now: clock(), team }),
  );

  serve(app, guard, calls.decideProposal, ({ params: { proposalId }, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const { viewer } = ctx;
      const now = clock();
      const found = await lockProposal(tx, proposalId, viewer.id);
      if (!found) throw new Refusal('not_found', 'This proposal no longer exists');
      const decision = await decideProposal(tx, found, body().accept, { ...ctx, now });
      const decided = { ...found, decidedAt: now.toISOString() };
      const [proposal] = await showProposals(tx, [decided], { viewer, now, team });
      if (!proposal) throw new Refusal('not_found', 'The businesses of this proposal are deleted');
      return { ...decision, proposal };
    }),
  );
}
