import { formatCount, formatCounted, formatMonthDay } from '#contract/format.ts';
import { toAttentionParams } from '#contract/leads/attention-params.ts';
import { FUNNEL_STEP_LABEL, type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import { type LeadAttention, leadFilter, UNCONTACTED_DAYS } from '#contract/leads/lead-filter.ts';
import { QUIET_DAYS } from '#contract/leads/today/today.calls.ts';
import { findWeeklyEmail } from '#contract/reminders/weekly-email.ts';
import type { Days } from '#contract/reports/period.ts';
import { type FunnelFigures, reportQuery, toListScope } from '#contract/reports/reports.calls.ts';
import { findShareOfStepBefore, STEP_BEFORE } from '#contract/reports/step-figures.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Message } from '#server/kit/mail/message.ts';
import type { MailJob } from '#server/kit/mail/outbox.ts';
import { countMatching } from '#server/leads/list/export/lead-export.sql.ts';
import { readFunnel } from '#server/reports/read-report.ts';
import { createStopToken } from './stop-weekly-email.ts';
import { claimWeek, enqueueWeeklyEmails, findWeeklyRecipient } from './weekly-email.sql.ts';

export const WEEKLY_EMAIL = 'weekly_email';
const MINUTE_MS = 60_000;
const MAX_CONCERNS = 3;
/** A share that fell by less may be chance. */
const NOTABLE_FALL_POINTS = 10;

/** Puts the e-mails about last week into the outbox, once in all processes. Returns whether it did. */
export async function sendWeeklyEmails(tx: Db, now: Date, timeZone: string): Promise<boolean> {
  const week = findWeeklyEmail(timeZone, now);
  if (!week || !(await claimWeek(tx, week.monday))) return false;
  const ttlMinutes = Math.ceil((week.until.getTime() - now.getTime()) / MINUTE_MS);
  await enqueueWeeklyEmails(tx, { kind: WEEKLY_EMAIL, ttlMinutes });
  return true;
}

interface Context {
  now: Date;
  timeZone: string;
  appUrl: string;
}

/** Whose figures the e-mail is about, and when. */
interface Subject extends Context {
  db: Db;
  viewer: Viewer;
  /** Undefined for the whole team. */
  userId: number | undefined;
}

/** Composes the e-mail when it is sent. Undefined when there is nothing to send. */
export async function composeWeeklyEmail(
  db: Db,
  { userId }: Pick<MailJob, 'userId'>,
  { now, timeZone, appUrl }: Context,
): Promise<Message | undefined> {
  const week = findWeeklyEmail(timeZone, now);
  const recipient = week && userId !== null ? await findWeeklyRecipient(db, userId) : undefined;
  if (!week || !recipient) return undefined;
  const { id, role, email, fullName } = recipient;
  const team = role !== 'user';
  const subject = { db, now, timeZone, appUrl, viewer: { id, role }, userId: team ? undefined : id };
  const { current, before } = await readFunnelOf(subject, week.lastWeek);
  const concerns = (await listConcerns(subject, week.weekBefore)).slice(0, MAX_CONCERNS);
  if (!current.figures.assigned && !before.figures.assigned && !concerns.length) return undefined;
  const { assigned, contacted } = current.figures;
  const stop = new URLSearchParams({ token: await createStopToken(db, id) });
  return {
    to: email,
    subject: `${team ? "The team's" : 'Your'} week: ${formatCounted(assigned, 'lead')} assigned, ${formatCount(contacted)} contacted`,
    paragraphs: [
      `Hello ${fullName},`,
      `${team ? 'Leads assigned to the team' : 'Leads assigned to you'} last week (${formatDays(week.lastWeek)}), and how far they came until now, beside those of the week before, which had more time. Percent are of the step before.`,
      {
        titles: ['Step', 'Last week', 'Week before'],
        rows: funnelStep.options.map((step) => [
          FUNNEL_STEP_LABEL[step],
          formatFigure(step, current.figures),
          formatFigure(step, before.figures),
        ]),
      },
      { text: 'Open the report', url: toReportUrl(subject, week.lastWeek) },
      ...(concerns.length ? ['To look at:'] : []),
      ...concerns,
      { text: 'Stop these e-mails, without signing in', url: `${appUrl}/stop-weekly-email?${stop}`, isFooter: true },
    ],
    stopUrl: `${appUrl}/api/weekly-email/stop?${stop}`,
  };
}

const readFunnelOf = ({ db, viewer, userId, now, timeZone }: Subject, days: Days) =>
  readFunnel({ db, viewer, now, timeZone, query: reportQuery.parse({ period: 'days', ...days, user: userId }) });

function formatFigure(step: FunnelStep, figures: FunnelFigures): string {
  const share = findShareOfStepBefore(step, figures);
  const count = formatCount(figures[step]);
  return share === undefined ? count : `${count}, ${share}%`;
}

interface Concern {
  /** A text with its number, which the link has. */
  text: string;
  url: string;
}

/** What is left undone, and where less was achieved than before; the most urgent first. */
async function listConcerns(subject: Subject, weekBefore: Days): Promise<Concern[]> {
  const concerns = [
    await countAttention(
      subject,
      'uncontacted',
      (leads) => `${leads} never contacted, ${UNCONTACTED_DAYS} days and more after the assignment`,
    ),
    await countAttention(subject, 'overdue', (leads) => `${leads} with an overdue follow-up`),
    await findFall(subject, weekBefore),
    await countAttention(
      subject,
      'quiet',
      (leads) => `${leads} contacted before, but not for ${QUIET_DAYS} days, and without a next step`,
    ),
  ];
  return concerns.filter((concern) => concern !== undefined);
}

/** The number is that of the list which the link opens. */
async function countAttention(
  { db, viewer, userId, now, timeZone, appUrl }: Subject,
  attention: LeadAttention,
  toText: (leads: string) => string,
): Promise<Concern | undefined> {
  const params = { ...toListScope(viewer, userId), ...toAttentionParams(attention) };
  const count = await countMatching(db, viewer, leadFilter.parse(params), { now, timeZone });
  if (!count) return undefined;
  return { text: toText(formatCounted(count, 'lead')), url: `${appUrl}/crm?${new URLSearchParams(params)}` };
}

/**
 * The step to contacted or reached whose share fell most. Of the week before last: its leads had a week of time, those of
 * last week did not, so that their shares would fall every time.
 */
async function findFall(subject: Subject, days: Days): Promise<Concern | undefined> {
  const { current, before } = await readFunnelOf(subject, days);
  const [worst] = (['contacted', 'reached'] as const)
    .flatMap((step) => {
      const now = findShareOfStepBefore(step, current.figures);
      const then = findShareOfStepBefore(step, before.figures);
      return now === undefined || then === undefined ? [] : [{ step, now, then, fall: then - now }];
    })
    .filter(({ fall }) => fall >= NOTABLE_FALL_POINTS)
    .sort((a, b) => b.fall - a.fall);
  if (!worst) return undefined;
  const { step, now, then } = worst;
  const [reached, from] = [current.figures[step], current.figures[STEP_BEFORE[step] ?? 'assigned']];
  const text = `${FUNNEL_STEP_LABEL[step]} fell from ${then}% to ${now}% (${formatCount(reached)} of ${formatCount(from)}) with the leads assigned ${formatDays(days)}`;
  return { text, url: toReportUrl(subject, days) };
}

const toReportUrl = ({ appUrl }: Context, days: Days) =>
  `${appUrl}/reports?${new URLSearchParams({ period: 'days', ...days })}`;

// A day without a time is midnight in UTC.
const formatDays = ({ from, to }: Days) => `${formatMonthDay(from, 'UTC')} to ${formatMonthDay(to, 'UTC')}`;
