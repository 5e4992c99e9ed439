import { csvFile } from '#contract/csv.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { listContacts } from '#contract/reports/contacts.calls.ts';
import { getPipeline } from '#contract/reports/pipeline.calls.ts';
import { exportReport, toReportFileName } from '#contract/reports/report-file.calls.ts';
import { getFunnel, getGroups, type ReportQuery } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import { countCallTimes } from './activity.sql.ts';
import { readContacts } from './contacts.sql.ts';
import {
  type ReportContext,
  readActivity,
  readFunnel,
  readGroups,
  readPipeline,
  requireReport,
  resolveReportDays,
} from './read-report.ts';
import { readReportFile } from './report-file.ts';
import { countSlipped } from './slipped.sql.ts';

export function reportRoutes(app: App, { db, guard, clock, env: { timeZone } }: Deps) {
  serve(app, guard, getFunnel, async ({ viewer, query }) => readFunnel(await openReport(viewer, query)));

  serve(app, guard, getGroups, async ({ viewer, query }) => readGroups(await openReport(viewer, query), query));

  mount(app, guard, exportReport, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const { query, ip } = readRequest(exportReport, request);
    const { table } = query;
    const { days, titles, rows } = await readReportFile(await openReport(viewer, query), query);
    const details = { kind: table, count: rows.length };
    await audit(db, { event: 'report_exported', ...byViewer(viewer), ip, details });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${toReportFileName(table, days)}"`)
      .send(csvFile([titles, ...rows]));
  });

  serve(app, guard, getActivity, async ({ viewer, query }) => readActivity(await openReport(viewer, query)));

  serve(app, guard, getCallTimes, async ({ viewer, query }) => {
    const report = await openReport(viewer, query);
    return countCallTimes(db, { ...query, days: resolveReportDays(report).days, timeZone });
  });

  serve(app, guard, listContacts, async ({ viewer, query }) => {
    const report = await openReport(viewer, query);
    const { days } = resolveReportDays(report);
    const page = { viewer, page: query.page };
    return { days, ...(await readContacts(db, { ...query, days, timeZone }, query, page)) };
  });

  serve(app, guard, getSlipped, async ({ viewer, query }) => {
    await requireReport({ db, viewer, query });
    return countSlipped(db, viewer, query, { now: clock(), timeZone });
  });

  serve(app, guard, getPipeline, async ({ viewer, query }) => {
    await requireReport({ db, viewer, query });
    return readPipeline({ db, viewer, query, now: clock(), timeZone });
  });

  async function openReport(viewer: Viewer, query: ReportQuery): Promise<ReportContext> {
    const report = { db, viewer, query, now: clock(), timeZone };
    await requireReport(report);
    return report;
  }
}
