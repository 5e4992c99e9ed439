import { randomUUID } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import { monthContaining } from '#contract/progress/calendar.ts';
import type { Sweep } from '#contract/sweeps/sweep.ts';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import { recordRequest, toBatchId } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import { insertJob, toJob, wakeJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import type { Places } from '#server/places/search-places.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { assignResults, compareNext } from './assign-results.ts';
import { ASSIGN_RESULTS, type ResultsToAssign } from './assign-results-job.ts';
import { previewOwners } from './choose-holders.ts';
import { estimateSweep } from './estimate-sweep.ts';
import { resolvePlaces } from './resolve-places.ts';
import { SWEEP, startSweepJob } from './sweep-job.ts';
import { findLatestBatch, listResults } from './sweep-results.sql.ts';
import * as stored from './sweeps.sql.ts';

interface SweepDeps extends Deps {
  places: Places;
}

const MAX_SWEEPS = 20;
const DISTRICTS_PER_PAGE = 100;
const RESULTS_PER_PAGE = 50;

export function sweepRoutes(app: App, { db, guard, env, clock, places, jobs }: SweepDeps) {
  serve(app, guard, calls.estimateSweep, async ({ body }) => estimateSweep(db, places, body().places));

  serve(app, guard, calls.startSweep, async ({ viewer, body, ip }) => {
    const { businessType, keyword, places: chosen } = body();
    const { districts, unknown } = resolvePlaces(chosen);
    if (unknown.length) throw unknownPlaces(unknown);
    places.requireReady();
    const id = randomUUID();
    await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      await startSweepJob(tx, id);
      const values = { id, userId: viewer.id, businessType, keyword: keyword || null, places: chosen };
      await stored.insertSweep(tx, { ...values, provider: places.provider, state: 'running' }, districts);
      const details = { districts: districts.length };
      await audit(tx, { event: 'sweep_started', actorId: viewer.id, ip, details });
    });
    return runAndShow(id);
  });

  serve(app, guard, calls.listSweeps, async () => ({ items: await stored.listLatestSweeps(db, MAX_SWEEPS) }));

  serve(app, guard, calls.getSweep, ({ params }) => showSweep(db, params.id));

  serve(app, guard, calls.listSweepDistricts, async ({ params, query }) => {
    await showSweep(db, params.id);
    return stored.listDistricts(db, params.id, { ...query, pageSize: DISTRICTS_PER_PAGE });
  });

  serve(app, guard, calls.listSweepResults, async ({ params, query }) => {
    await showSweep(db, params.id);
    const page = await listResults(db, params.id, { ...query, pageSize: RESULTS_PER_PAGE });
    return { ...page, batchId: await findLatestBatch(db, params.id) };
  });

  serve(app, guard, calls.pauseSweep, async ({ viewer, params }) => {
    await changeSweep(params.id, viewer, async (tx, { id, state, stopRequested }) => {
      if (state !== 'running') throw notReady('This sweep is not running.');
      // A cancelled sweep is not merely paused.
      if (!stopRequested) await requestStop(tx, id, 'pause');
    });
    return runAndShow(params.id);
  });

  serve(app, guard, calls.cancelSweep, async ({ viewer, params }) => {
    await changeSweep(params.id, viewer, async (tx, { id, state }) => {
      if (state === 'done' || state === 'cancelled') throw notReady('This sweep has ended.');
      if (state === 'running') await requestStop(tx, id, 'cancel');
      else await stored.updateSweep(tx, id, { state: 'cancelled', message: null });
    });
    return runAndShow(params.id);
  });

  serve(app, guard, calls.continueSweep, async ({ viewer, params, ip }) => {
    requireContinuable(await showSweep(db, params.id));
    await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const sweep = await stored.lockSweep(tx, params.id);
      if (!sweep) throw notFound();
      const shown = await showSweep(tx, params.id);
      requireContinuable(shown);
      if (sweep.provider !== places.provider) {
        throw notReady(`This sweep was started with the provider "${sweep.provider}". Please start a new one.`);
      }
      places.requireReady();
      await startSweepJob(tx, params.id);
      const details = { districts: shown.districts.total - shown.districts.done };
      await audit(tx, { event: 'sweep_started', actorId: viewer.id, ip, details });
      await stored.beginRun(tx, params.id);
    });
    return runAndShow(params.id);
  });

  serve(app, guard, calls.assignSweepResults, async ({ params, body, ip, ...ctx }) => {
    await showSweep(db, params.id);
    const { batch, background, ...chosen } = body();
    const { viewer } = ctx;
    const now = clock();
    const id = toBatchId(viewer, `sweep ${params.id} ${batch}`);
    const compared = await compareNext(db, params.id, chosen.businessIds);
    const assigned = await db.transaction(async (tx) => {
      const step = await recordRequest(tx, ctx, { kind: 'assign', source: 'assignment', id, now }, (log) =>
        assignResults(tx, params.id, { ...chosen, compared, viewer, ip, log, now, timeZone: env.timeZone }),
      );
      if (!background || step.left === 0) return step;
      const input: ResultsToAssign = { sweepId: params.id, ...chosen };
      const job = await insertJob(tx, { id, kind: ASSIGN_RESULTS, userId: viewer.id, ip, input, total: step.left });
      if (!job) {
        throw new Refusal(
          'bulk_running',
          'Results are still being assigned for you. Please wait until that has ended.',
        );
      }
      return { ...step, job: toJob(job) };
    });
    if ('job' in assigned) void jobs.run();
    return assigned;
  });

  serve(app, guard, calls.previewSweepTerritories, async ({ params, body }) => {
    await showSweep(db, params.id);
    const month = monthContaining(env.timeZone, clock());
    return { shares: await previewOwners(db, params.id, { ...body(), month }) };
  });

  /** The sweep, whose job starts, goes on or ends now. */
  function runAndShow(id: string) {
    void jobs.run(SWEEP);
    return showSweep(db, id);
  }

  const changeSweep = (id: string, viewer: Viewer, change: (tx: Db, sweep: stored.SweepRecord) => Promise<void>) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const sweep = await stored.lockSweep(tx, id);
      if (!sweep) throw notFound();
      await change(tx, sweep);
    });
}

/** A step that is under way reads it before its next call; otherwise the next step is due now. */
async function requestStop(tx: Db, id: string, stopRequested: 'pause' | 'cancel') {
  await stored.updateSweep(tx, id, { stopRequested });
  await wakeJob(tx, id);
}

function requireContinuable({ canContinue, state }: Sweep) {
  if (canContinue) return;
  throw notReady(state === 'running' ? 'This sweep is running.' : 'This sweep has ended.');
}

const notReady = (message: string) => new Refusal('sweep_not_ready', message);
const notFound = () => new Refusal('not_found', 'This sweep no longer exists');

function unknownPlaces(unknown: string[]) {
  const message = `No postcode area, district or region: ${unknown.slice(0, 5).join(', ')}`;
  return new Refusal('validation_failed', message, { errors: [{ path: 'places', message }] });
}

async function showSweep(db: Db, id: string): Promise<Sweep> {
  const sweep = await stored.findSweep(db, id);
  if (!sweep) throw notFound();
  return sweep;
}
