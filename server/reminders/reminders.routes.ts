import { Refusal } from '#contract/errors.ts';
import { ACTIVITY_TYPE_LABEL } from '#contract/leads/lead.ts';
import * as calls from '#contract/reminders/reminders.calls.ts';
import { audit } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { findWantedEmails, setWantedEmails } from '#server/users/users.sql.ts';
import {
  type CalendarFollowUp,
  deleteFeed,
  findFeed,
  findFeedOwner,
  listCalendarFollowUps,
  setFeed,
} from './calendar.sql.ts';
import { buildCalendar, type CalendarEvent } from './icalendar.ts';
import { stopWeeklyEmail } from './stop-weekly-email.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAYS_BACK = 90;
const DAYS_AHEAD = 365;
const MAX_EVENTS = 2_000;
const EVENT_MS = 15 * 60_000;

export function reminderRoutes(app: App, { db, guard, clock, env }: Deps) {
  const readSettings = async (source: Db, userId: number) => ({
    ...(await findWantedEmails(source, userId)),
    calendarCreatedAt: await findFeed(source, userId),
  });

  serve(app, guard, calls.getReminderSettings, ({ viewer }) => readSettings(db, viewer.id));

  serve(app, guard, calls.changeReminderSettings, ({ viewer, body }) =>
    db.transaction(async (tx) => {
      const { morningEmail, weeklyEmail } = body();
      await setWantedEmails(tx, viewer.id, {
        ...(morningEmail !== undefined && { morningEmail }),
        ...(weeklyEmail !== undefined && { weeklyEmail }),
      });
      return readSettings(tx, viewer.id);
    }),
  );

  serve(app, guard, calls.createCalendarFeed, ({ viewer, body, ip }) =>
    db.transaction(async (tx) => {
      body();
      const { secret, hash } = newSecret();
      const createdAt = await setFeed(tx, viewer.id, hash);
      await audit(tx, { event: 'calendar_feed_created', actorId: viewer.id, ip });
      return { url: `${env.appUrl}/api/calendar/${secret}.ics`, createdAt };
    }),
  );

  serve(app, guard, calls.revokeCalendarFeed, ({ viewer, body, ip }) =>
    db.transaction(async (tx) => {
      body();
      if (await deleteFeed(tx, viewer.id)) await audit(tx, { event: 'calendar_feed_revoked', actorId: viewer.id, ip });
      return readSettings(tx, viewer.id);
    }),
  );

  mount(app, guard, calls.openStopWeeklyEmail, async (request, reply) => {
    const { query } = readRequest(calls.openStopWeeklyEmail, request);
    return reply.redirect(`/stop-weekly-email?${new URLSearchParams(query)}`, 303);
  });

  serve(app, guard, calls.stopWeeklyEmail, async ({ query, ip }) => {
    await stopWeeklyEmail(db, { token: query.token, ip });
    return {
      message: 'You get no more Monday e-mails. You can switch them on again on the Reminders page of your account.',
    };
  });

  mount(app, guard, calls.getCalendar, async (request, reply) => {
    const { params } = readRequest(calls.getCalendar, request);
    const ownerId = await findFeedOwner(db, hashSecret(params.token));
    if (ownerId === undefined) throw new Refusal('not_found', 'There is no calendar at this address');
    const now = clock().getTime();
    const range = { from: new Date(now - DAYS_BACK * DAY_MS), to: new Date(now + DAYS_AHEAD * DAY_MS) };
    const followUps = await listCalendarFollowUps(db, ownerId, { ...range, limit: MAX_EVENTS });
    const events = followUps.map((followUp) => toEvent(followUp, env.appUrl));
    return reply.type('text/calendar; charset=utf-8').send(buildCalendar('Highstreet follow-ups', events));
  });
}

function toEvent(
  { id, type, at, note, createdAt, updatedAt, ...lead }: CalendarFollowUp,
  appUrl: string,
): CalendarEvent {
  const start = new Date(at);
  const lastModified = new Date(updatedAt);
  const url = `${appUrl}/business/uuid/${lead.uuid}`;
  return {
    uid: `follow-up-${id}@${new URL(appUrl).hostname}`,
    start,
    end: new Date(start.getTime() + EVENT_MS),
    summary: `${ACTIVITY_TYPE_LABEL[type]}: ${lead.businessName}`,
    description: [note, lead.phone, url].filter(Boolean).join('\n'),
    url,
    lastModified,
    // Seconds since it was planned: increases with every change, and needs no counter in the table.
    sequence: Math.max(0, Math.floor((lastModified.getTime() - Date.parse(createdAt)) / 1000)),
  };
}
