import * as team from '#contract/format.ts';

// The server uses these too; a time on a screen also names the team's zone where the viewer's differs.
export const { formatCount, formatCounted, formatDate, formatDay, formatSearchDate } = team;

/** "Nov 18, 2026, 15:05", on the team's clock. */
export const formatDateTime = (at: string, timeZone: string) =>
  team.formatDateTime(at, timeZone) + zoneSuffix(at, timeZone);

/** "Nov 18, 2026, 15:05:09", on the team's clock. */
export const formatDateTimeSeconds = (at: string, timeZone: string) =>
  team.formatDateTimeSeconds(at, timeZone) + zoneSuffix(at, timeZone);

/** "15:05", on the team's clock. */
export const formatTime = (at: string, timeZone: string) => team.formatTime(at, timeZone) + zoneSuffix(at, timeZone);

/** " GMT+1" where the viewer's clock shows another time than the team's, else nothing. */
export function zoneSuffix(at: string, timeZone: string): string {
  const viewers = new Date(at);
  const hours = String(viewers.getHours()).padStart(2, '0');
  const minutes = String(viewers.getMinutes()).padStart(2, '0');
  return team.formatTime(at, timeZone) === `${hours}:${minutes}` ? '' : ` ${team.formatZone(at, timeZone)}`;
}

/** A text of the server's, such as "Call, Nov 18, 2026, 15:05: Ask for Sam": it does not know who reads it where. */
export function nameZone(text: string | null, timeZone: string | undefined): string | null {
  if (!text || !timeZone) return text;
  return text.replace(/\w{3} \d{1,2}, \d{4}, \d\d:\d\d/, (moment) => {
    const [day, time] = moment.split(/, (?=\d\d:)/);
    return moment + zoneSuffix(new Date(`${day} ${time} UTC`).toISOString(), timeZone);
  });
}

export const browserTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
