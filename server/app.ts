import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { endSsoSessions } from '#contract/auth/sso.calls.ts';
import { configureZodMessages } from '#contract/zod-messages.ts';
import { importJob } from '#server/import/run/import-job.ts';
import { createRunningImports } from '#server/import/run/running-imports.ts';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import { isLocalInstallation } from '#server/kit/http/client/loopback.ts';
import { leadExportRoutes } from '#server/leads/list/export/lead-export.routes.ts';
import { accountRoutes } from './account/account.routes.ts';
import { composeAccountMail } from './account/account-mails.ts';
import { codeRoutes } from './account/codes.routes.ts';
import { invitationRoutes } from './account/invitations.routes.ts';
import { proofRoutes } from './account/proof.routes.ts';
import { apiDocs } from './api-docs.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { audit } from './audit/audit.ts';

import { authRoutes } from './auth/auth.routes.ts';
import { createAccountAccess } from './auth/create-account-access.ts';
import { deviceKeyRoutes } from './auth/devices/device-key.routes.ts';
import { createSetupCode } from './auth/first-account.ts';
import { createPasswords, loadArgon2 } from './auth/passwords.ts';
import { authenticate } from './auth/sessions/authenticate.ts';
import { requireProofIfAsked } from './auth/sessions/proof.sql.ts';
import { browserCookie, sessionCookie } from './auth/sessions/session-cookie.ts';
import { createSessionLookups } from './auth/sessions/session-lookups.ts';
import { applySessionRules } from './auth/sessions/sessions.sql.ts';
import { backupJob, backupScheduleJob } from './backup/backup-job.ts';
import { classifyJob } from './business-types/classify-job.ts';
import { changeRoutes } from './changes/changes.routes.ts';
import { undoJob } from './changes/undo-job.ts';
import { objectionRoutes } from './contact-rules/objections.routes.ts';
import { coverageRoutes } from './coverage/coverage.routes.ts';
import { coverageJob } from './coverage/coverage-job.ts';
import type { Deps } from './deps.ts';
import { districtRoutes } from './districts/districts.routes.ts';
import { duplicateJob } from './duplicates/duplicate-job.ts';
import { duplicateRoutes } from './duplicates/duplicates.routes.ts';
import { findRoutes } from './find/find.routes.ts';
import { firstStepRoutes } from './first-steps/first-steps.routes.ts';
import { createHousekeeping } from './housekeeping.ts';
import { importRoutes } from './import/import.routes.ts';
import { importJobRoutes } from './import/import-jobs.routes.ts';
import { upsertRoutes } from './import/upsert/upsert.routes.ts';
import { createJobRunner } from './jobs/job-runner.ts';
import { jobRoutes } from './jobs/jobs.routes.ts';
import type { Clock } from './kit/clock.ts';
import type { Database } from './kit/db/open.ts';
import type { Env } from './kit/env.ts';
import { closeGracefully } from './kit/http/close-gracefully.ts';
import { createHttp } from './kit/http/create-http.ts';
import { contentSecurityPolicy } from './kit/http/headers.ts';
import { serveHealth } from './kit/http/health.ts';
import { requestLimits } from './kit/http/request-limits.ts';
import { handleUnknownPaths } from './kit/http/unknown-paths.ts';
import { serveWebFiles, webPage } from './kit/http/web-files.ts';
import { createLiveEvents } from './kit/live-events.ts';
import type { Logger } from './kit/log.ts';
import { createOutbox, type MailJob } from './kit/mail/outbox.ts';
import { folderTransport, smtpTransport } from './kit/mail/transport.ts';
import { metricsAccess } from './kit/metrics/metrics-access.ts';
import { serveMetrics } from './kit/metrics/serve-metrics.ts';
import { loadInstallationKey } from './kit/secrets.ts';
import { VERSION } from './kit/version.ts';
import { addingRoutes } from './leads/adding/adding.routes.ts';
import { assignmentRoutes } from './leads/assignment.routes.ts';
import { bulkRoutes } from './leads/bulk/bulk.routes.ts';
import { bulkJobKind } from './leads/bulk/bulk-job-kind.ts';
import { bulkJobRoutes } from './leads/bulk/bulk-jobs.routes.ts';
import { businessContactRoutes } from './leads/business-contact.routes.ts';
import { commentRoutes } from './leads/comments/comments.routes.ts';
import { followUpRoutes } from './leads/follow-ups/follow-ups.routes.ts';
import { leadRoutes } from './leads/leads.routes.ts';
import { leadListRoutes } from './leads/list/lead-list.routes.ts';
import { logRoutes } from './leads/log/log.routes.ts';
import { leadObjectionRoutes } from './leads/objections/lead-objections.routes.ts';
import { pocketRoutes } from './leads/pocket/pocket.routes.ts';
import { shareRoutes } from './leads/sharing/shares.routes.ts';
import { timelineRoutes } from './leads/timeline/timeline.routes.ts';
import { todayRoutes } from './leads/today/today.routes.ts';
import { tripRoutes } from './leads/trip/trip.routes.ts';
import { mapRoutes } from './map/map.routes.ts';
import { prepareMapTiles } from './map/map-file.ts';
import { mcpRoutes } from './mcp/mcp.routes.ts';
import { createMetrics, registerProductMetrics } from './metrics.ts';
import { notificationRoutes } from './notifications/notifications.routes.ts';
import { deleteFieldJob, deleteLeftFieldsJob } from './own-fields/delete-field-job.ts';
import { ownFieldRoutes } from './own-fields/own-fields.routes.ts';
import { createCeremonies } from './passkeys/ceremonies.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { createPlaces } from './places/create-places.ts';
import { loadSample } from './places/sample/load-sample.ts';
import { progressRoutes } from './progress/progress.routes.ts';
import { proposalRoutes } from './proposals/proposals.routes.ts';
import { createPushSender } from './push/create-push-sender.ts';
import { pushRoutes } from './push/push.routes.ts';
import { pushJob } from './push/push-job.ts';
import { createVapid } from './push/vapid.ts';
import { composeMorningEmail, MORNING_EMAIL } from './reminders/morning-emails.ts';
import { createReminderJob } from './reminders/reminder-jobs.ts';
import { reminderRoutes } from './reminders/reminders.routes.ts';
import { composeWeeklyEmail, WEEKLY_EMAIL } from './reminders/weekly-emails.ts';
import { reportRoutes } from './reports/reports.routes.ts';
import { searchRoutes } from './search/search.routes.ts';
import { createSecretBox } from './second-factor/secret-box.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { createSsoProvider } from './sso/provider.ts';
import { ssoRoutes } from './sso/sso.routes.ts';
import { ssoUserRoutes } from './sso/sso-users.routes.ts';
import { assignResultsJob } from './sweeps/assign-results-job.ts';
import { sweepJob } from './sweeps/sweep-job.ts';
import { sweepRoutes } from './sweeps/sweeps.routes.ts';
import { createSystem } from './system/create-system.ts';
import { systemRoutes } from './system/system.routes.ts';
import { moveLeadsJob } from './territories/move-leads.ts';
import { territoryRoutes } from './territories/territories.routes.ts';
import { authenticateToken } from './tokens/authenticate-token.ts';
import { composeTokenNotice, TOKEN_NOTICE, tokenNoticeJob } from './tokens/token-notices.ts';
import { tokenRoutes } from './tokens/tokens.routes.ts';
import { deleteUserTokens } from './tokens/tokens.sql.ts';
import { deleteAccountsJob } from './users/delete-account.ts';
import { userRoutes } from './users/users.routes.ts';
import { hasUsers } from './users/users.sql.ts';
import { viewRoutes } from './views/views.routes.ts';
import { createSender } from './webhooks/create-sender.ts';
import { composeWebhookNotice, WEBHOOK_NOTICE } from './webhooks/switched-off.ts';
import { webhookJob } from './webhooks/webhook-job.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';

interface AppOptions {
  database: Database;
  env: Env;
  clock: Clock;
  log: Logger;
  /** The built web app; without it only the API is served. */
  webRoot?: string;
}

/** Wires the whole server. */
export async function createApp({ database, env: configured, clock, log, webRoot }: AppOptions) {
  configureZodMessages();
  const mapTiles = await prepareMapTiles(configured.tileUrl);
  const env = { ...configured, tileUrl: mapTiles.url };
  const { db } = database;
  const closing = new AbortController();
  const policy = contentSecurityPolicy(env.tileUrl);
  const cookie = sessionCookie(env.appUrl);
  const browser = browserCookie(env.appUrl);
  const local = isLocalInstallation(env);
  const setup = createSetupCode(local);
  const passwords = await createPasswords(await loadArgon2());
  const nameKey = await loadInstallationKey(db, 'sign-in names');
  const installationKey = await loadInstallationKey(db, 'second factors');
  const box = createSecretBox({ installationKey, operatorKey: env.secretsKey });
  const transport = env.smtpUrl
    ? smtpTransport(env.smtpUrl, env.mailFrom)
    : folderTransport(join(env.dataDir, 'outbox'), env.mailFrom);
  const compose = (job: MailJob) => {
    const context = { now: clock(), timeZone: env.timeZone, appUrl: env.appUrl };
    if (job.kind === MORNING_EMAIL) return composeMorningEmail(db, job, context);
    if (job.kind === WEEKLY_EMAIL) return composeWeeklyEmail(db, job, context);
    if (job.kind === WEBHOOK_NOTICE) return composeWebhookNotice(db, job, context);
    if (job.kind === TOKEN_NOTICE) return composeTokenNotice(db, job, context);
    return composeAccountMail(db, job, env);
  };
  const outbox = createOutbox({ db, transport, log, compose });
  const reminders = createReminderJob({ env, clock });
  const housekeeping = createHousekeeping({ log });
  const places = createPlaces({ db, env, clock, product: `Highstreet/${VERSION}` });
  const system = createSystem({ env, places, clock });
  const runningImports = createRunningImports(closing.signal);
  const webhookKey = await loadInstallationKey(db, 'webhooks');
  const webhookBox = createSecretBox({ installationKey: webhookKey, operatorKey: env.secretsKey });
  const sender = createSender({ db, box: webhookBox, env: env.webhooks, clock, log });
  const vapid = createVapid({
    installationKey: await loadInstallationKey(db, 'push'),
    contact: /^https:/.test(env.appUrl) ? env.appUrl : `mailto:${env.supportEmail}`,
  });
  const pushServices = { ...env.webhooks, pushServices: env.pushServices };
  const pushSender = createPushSender({ db, vapid, services: pushServices, clock, log });
  const jobKinds = [
    bulkJobKind(clock),
    undoJob(clock),
    coverageJob(clock),
    deleteAccountsJob,
    deleteFieldJob,
    deleteLeftFieldsJob,
    moveLeadsJob(clock),
    importJob({ db, log, clock, timeZone: env.timeZone, running: runningImports }),
    sweepJob({ db, places, clock, closing: closing.signal }),
    assignResultsJob(clock, env),
    duplicateJob,
    classifyJob,
    reminders.job,
    housekeeping.job,
    tokenNoticeJob,
    webhookJob({ sender, clock, env }),
    pushJob({ sender: pushSender, clock, env }),
    backupJob({ database, env, clock, log, closing: closing.signal }),
    ...(env.backupAt ? [backupScheduleJob({ env, clock })] : []),
    system.job,
  ];
  const jobs = createJobRunner({ db, log, kinds: jobKinds });

  const liveEvents = await createLiveEvents(database, log);
  const metrics = createMetrics();

  const app = await createHttp({
    appUrl: env.appUrl,
    trustProxy: env.trustProxy,
    log,
    measure: metrics.measure,
    onRefused: ({ viewer, routeOptions, ip, params }, { code }) => {
      // This refusal comes before any rate limit: anonymous clients could fill the table with it.
      if (code === 'cross_site' && !viewer) return;
      // The web app asks for what is missing, and goes on.
      if (code === 'proof_required' || code === 'second_factor_required') return;
      // Its handler has audited it, with the reason.
      if (routeOptions.url === endSsoSessions.path && code === 'invalid_token') return;
      const { id, uuid } = (params ?? {}) as { id?: string; uuid?: string };
      const target = (uuid ?? id)?.slice(0, 36);
      const route = { route: routeOptions.url ?? 'none', method: String(routeOptions.method) };
      const details = { code, ...route, ...(target && { target }) };
      audit(db, {
        event: 'call_refused',
        outcome: 'refused',
        actorId: viewer?.id ?? null,
        program: viewer?.program?.name,
        ip: clientIpKey(ip),
        details,
      }).catch((error) => log.warn({ err: error }, 'refusal not audited'));
    },
  });
  const close = closeGracefully(app, env.trustProxy > 0);
  handleUnknownPaths(app, webPage(webRoot, policy));
  serveHealth(app, { isDatabaseReachable: database.isReachable, closing: () => closing.signal.aborted });

  const limits = requestLimits(env.rateLimitFactor);
  const lookups = createSessionLookups(limits);
  const guard = {
    ...{ appUrl: env.appUrl, limits, authenticate: authenticate({ db, cookie, lookups }) },
    authenticateProgram: authenticateToken({ db, cookie, lookups, clock, env }),
    requireProof: (request: FastifyRequest, tx = db) => requireProofIfAsked(tx, cookie.read(request)),
  };
  const deps: Deps = { db, env, clock, guard, outbox, liveEvents, jobs };
  authRoutes(app, { ...deps, passwords, cookie, browser, lookups, setup, nameKey, box });
  deviceKeyRoutes(app, { ...deps, cookie, nameKey });
  const access = createAccountAccess({ db, passwords, cookie, lookups, endTokens: deleteUserTokens });
  userRoutes(app, { ...deps, access });
  const ceremonies = createCeremonies({ db, appUrl: env.appUrl });
  invitationRoutes(app, { ...deps, passwords, cookie, browser, lookups, ceremonies });
  tokenRoutes(app, { ...deps, access });
  webhookRoutes(app, { ...deps, box: webhookBox });
  proposalRoutes(app, deps);
  accountRoutes(app, { ...deps, access, passwords, cookie, nameKey });
  codeRoutes(app, { ...deps, passwords, nameKey, box, cookie });
  passkeyRoutes(app, { ...deps, passwords, nameKey, cookie, browser, lookups, ceremonies });
  proofRoutes(app, { ...deps, passwords, nameKey, cookie, box, ceremonies });
  const provider = env.sso && createSsoProvider({ sso: env.sso, appUrl: env.appUrl, clock });
  ssoRoutes(app, { ...deps, passwords, cookie, browser, lookups, provider });
  ssoUserRoutes(app, deps);
  leadRoutes(app, deps);
  businessContactRoutes(app, deps);
  leadListRoutes(app, deps);
  leadExportRoutes(app, deps);
  ownFieldRoutes(app, deps);
  followUpRoutes(app, deps);
  logRoutes(app, deps);
  leadObjectionRoutes(app, deps);
  objectionRoutes(app, deps);
  commentRoutes(app, deps);
  timelineRoutes(app, deps);
  todayRoutes(app, deps);
  pocketRoutes(app, deps);
  tripRoutes(app, deps);
  mapRoutes(app, { guard, mapFile: mapTiles.file });
  viewRoutes(app, deps);
  findRoutes(app, deps);
  bulkRoutes(app, deps);
  bulkJobRoutes(app, deps);
  jobRoutes(app, deps);
  shareRoutes(app, deps);
  territoryRoutes(app, deps);
  assignmentRoutes(app, deps);
  addingRoutes(app, deps);
  changeRoutes(app, deps);
  duplicateRoutes(app, deps);
  districtRoutes(app, deps);
  coverageRoutes(app, deps);
  importRoutes(app, { ...deps, log, running: runningImports, closing: closing.signal });
  importJobRoutes(app, { ...deps, running: runningImports });
  upsertRoutes(app, deps);
  searchRoutes(app, { ...deps, places, pageKey: await loadInstallationKey(db, 'search pages') });
  sweepRoutes(app, { ...deps, places });
  progressRoutes(app, { ...deps, cookie, lookups });
  reportRoutes(app, deps);
  const { openStreams } = notificationRoutes(app, deps);
  reminderRoutes(app, deps);
  pushRoutes(app, { ...deps, cookie, vapid, services: pushServices });
  auditRoutes(app, deps);
  settingsRoutes(app, { ...deps, applySecurity: applySessionRules });
  firstStepRoutes(app, deps);
  systemRoutes(app, { ...deps, system, passwords, nameKey, cookie });
  apiDocs(app, deps);
  mcpRoutes(app, deps);
  const remindersSent = reminders.sent;
  registerProductMetrics(metrics.registry, {
    ...{ database, env, clock, liveEvents, openStreams, remindersSent, housekeeping, runningImports },
    webhookAttempts: sender.attempts,
    problems: () => system.readProblems(db),
  });
  const { registry } = metrics;
  serveMetrics(app, { registry, limits, mayRead: metricsAccess({ token: env.metricsToken, local }) });
  if (webRoot) await serveWebFiles(app, webRoot, env);

  let warmingUp: Promise<void> | undefined;
  const warmUp = async () => {
    if (env.places.provider === 'local') await loadSample(db, closing.signal);
  };

  return {
    http: app,
    outbox,
    push: pushSender,
    jobs,
    jobKinds,
    setup,
    /** Why the map has no tiles, where TILE_URL names a file that cannot be used. */
    mapProblem: mapTiles.problem,
    /** To be called once the server listens, so that neither the start nor the first search waits for it. */
    warmUp: () => {
      warmingUp = warmUp();
      return warmingUp;
    },
    needsSetup: async () => !(await hasUsers(db)),
    /** Finishes the requests in progress, then stops everything else. */
    close: async () => {
      closing.abort();
      await close();
      await warmingUp?.catch(() => {}); // the caller of warmUp reports it
      await runningImports.stopped();
      await jobs.stop();
      await sender.stop();
      await pushSender.stop();
      await outbox.stop();
      await liveEvents.close();
      metrics.stop();
    },
  };
}
