import { Refusal } from '#contract/errors.ts';
import { type ImportChoices, type ImportJob, type ImportState, NO_CHOICES } from '#contract/import/import-job.ts';
import * as calls from '#contract/import/import-jobs.calls.ts';
import { monthContaining } from '#contract/progress/calendar.ts';
import type { App, Deps } from '#server/deps.ts';
import { requireNewChoices } from '#server/import/run/add-new-choices.ts';
import { IMPORT, startImportJob } from '#server/import/run/import-job.ts';
import type { RunningImports } from '#server/import/run/running-imports.ts';
import { prepareStart, requireActiveAssignees, requireActiveReplacements } from '#server/import/run/start-import.ts';
import { wakeJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mount, serve } from '#server/kit/http/serve.ts';
import { correctRows } from './correct-rows.ts';
import { createDraft } from './create-draft.ts';
import * as stored from './imports.sql.ts';
import { chooseMapping } from './map-import.ts';

interface ImportJobDeps extends Deps {
  running: RunningImports;
}

const MAX_IMPORTS = 20;
/** Nothing was imported yet, so that everything can still be chosen. */
const DRAFT_STATES: ImportState[] = ['mapping', 'checked', 'stopped', 'cancelled'];

export function importJobRoutes(app: App, { db, guard, env, clock, jobs, running }: ImportJobDeps) {
  mount(app, guard, calls.createImport, async (request, reply) => {
    const id = await createDraft(db, request);
    return reply.code(calls.createImport.success).send(await showImport(db, id));
  });

  serve(app, guard, calls.listImports, async () => ({
    items: (await stored.listLatestImports(db, MAX_IMPORTS)).map(stored.toListedImport),
  }));

  serve(app, guard, calls.getImport, ({ params }) => showImport(db, params.id));

  serve(app, guard, calls.mapImport, async ({ params, body }) => {
    const { job } = await requireImport(db, params.id);
    const values = await chooseMapping(db, requireDraft(job), body());
    await db.transaction(async (tx) => {
      requireDraft(await requireRow(tx, job.id));
      await stored.updateImport(tx, job.id, {
        ...values,
        ...{ state: 'mapping', preview: null, message: null, finishedAt: null },
      });
    });
    return showImport(db, job.id);
  });

  serve(app, guard, calls.checkImport, async ({ viewer, params, body, ip }) => {
    await requireImport(db, params.id);
    const choices = body();
    return startRun(params.id, ip, { requireReady: requireCheckable, prepare: prepareCheck(viewer.id, choices) });
  });

  serve(app, guard, calls.startImport, async ({ viewer, params, ip }) => {
    await requireImport(db, params.id);
    return startRun(params.id, ip, {
      requireReady: ({ state }) => {
        if (state !== 'checked') throw notReady('Check the file before you import it.');
      },
      prepare: (tx, job) => prepareStart(tx, job, { viewer, ip }),
    });
  });

  serve(app, guard, calls.continueImport, async ({ viewer, params, ip }) => {
    return startRun(params.id, ip, {
      requireReady: ({ state }) => {
        if (state !== 'stopped' && state !== 'cancelled') throw notReady('This import has not been stopped.');
      },
      prepare: async (tx, job) => {
        if (!job.startedAt) return prepareCheck(viewer.id)(tx, job);
        await requireActiveAssignees(tx, job);
        // Its rows without a user stay those of the administrator who started it.
        const userId = (await stored.isActiveAdmin(tx, job.userId)) ? job.userId : viewer.id;
        return stored.startRun(tx, job.id, { state: 'running', userId });
      },
    });
  });

  serve(app, guard, calls.cancelImport, async ({ params }) => {
    await db.transaction(async (tx) => {
      const job = await requireRow(tx, params.id);
      if (!stored.ACTIVE_STATES.includes(job.state)) throw notReady('This import is not running.');
      await stored.updateImport(tx, job.id, { cancelRequested: true });
      await wakeJob(tx, job.id);
    });
    running.cancel(params.id);
    void jobs.run(IMPORT);
    return showImport(db, params.id);
  });

  serve(app, guard, calls.discardImport, async ({ params }) => {
    await db.transaction(async (tx) => {
      const job = await requireRow(tx, params.id);
      if (stored.ACTIVE_STATES.includes(job.state)) throw notReady('This import is running. Cancel it first.');
      await stored.deleteImport(tx, job.id);
    });
  });

  serve(app, guard, calls.listRefusedRows, async ({ params }) => {
    const { job } = await requireImport(db, params.id);
    return { columns: job.columns, rows: await stored.listRefused(db, job.id) };
  });

  serve(app, guard, calls.correctRows, async ({ viewer, params, body }) => {
    await requireImport(db, params.id);
    const { rows } = body();
    const outcome = await db.transaction(async (tx) => {
      const job = await requireRow(tx, params.id);
      if (!job.startedAt || stored.ACTIVE_STATES.includes(job.state)) {
        throw notReady('Rows can be corrected once the import has ended.');
      }
      const month = monthContaining(env.timeZone, clock());
      return correctRows(tx, job, rows, { importerId: viewer.id, month });
    });
    return { ...outcome, job: await showImport(db, params.id) };
  });

  /** Starts the job of the import, which a process runs in the background. */
  async function startRun(id: string, ip: string, { requireReady, prepare }: Start): Promise<ImportJob> {
    requireReady((await requireImport(db, id)).job);
    await db.transaction(async (tx) => {
      const current = await requireRow(tx, id);
      requireReady(current);
      if (!(await stored.hasFile(tx, current))) throw notReady('The file is no longer stored. Please upload it again.');
      await startImportJob(tx, { id, ip });
      await prepare(tx, current);
    });
    void jobs.run(IMPORT);
    return showImport(db, id);
  }
}

interface Start {
  /** Refuses an import in the wrong state. */
  requireReady: (job: stored.ImportRecord) => void;
  prepare: (tx: Db, job: stored.ImportRecord) => Promise<stored.ImportRecord>;
}

function requireCheckable(job: stored.ImportRecord) {
  requireDraft(job);
  if (job.columns.some(({ target }) => target === 'Business Name')) return;
  throw notReady('Choose the column with the names of the businesses first.');
}

/** A check that is continued is the same one. */
const prepareCheck =
  (userId: number, chosen?: ImportChoices): Start['prepare'] =>
  async (tx, job) => {
    requireCheckable(job);
    const choices = chosen ?? job.choices ?? NO_CHOICES;
    await requireActiveReplacements(tx, choices);
    await requireNewChoices(tx, { ...job, choices });
    return stored.startRun(tx, job.id, { state: 'checking', userId, choices, readRows: 0, lastRow: 0 });
  };

const notReady = (message: string) => new Refusal('import_not_ready', message);

function requireDraft<T extends { state: ImportState; startedAt: string | null }>(job: T): T {
  if (stored.ACTIVE_STATES.includes(job.state)) throw notReady('This import is running.');
  if (job.startedAt || !DRAFT_STATES.includes(job.state)) throw notReady('This file was imported already.');
  return job;
}

const notFound = () => new Refusal('not_found', 'This import no longer exists');

async function requireRow(tx: Db, id: string) {
  const job = await stored.lockImportRow(tx, id);
  if (!job) throw notFound();
  return job;
}

async function requireImport(db: Db, id: string) {
  const found = await stored.findImport(db, id);
  if (!found) throw notFound();
  return found;
}

const showImport = async (db: Db, id: string): Promise<ImportJob> => stored.toImportJob(await requireImport(db, id));
