/** The months that the demo plays in, as the team's calendar has them. */
export function monthsAround(now: Date, timeZone: string) {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const [year = 1970, month = 1, day = 1] = [parts.get('year'), parts.get('month'), parts.get('day')];
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  // Noon is in the same day everywhere the team may be, except at the very ends of the world; a demo can live with that.
  const start = Math.min(Date.UTC(year, month - 1, 1, 12), now.getTime() - 60_000);
  return {
    elapsed: day / days,
    thisMonth: { from: start, to: now.getTime() },
    lastMonth: { from: Date.UTC(year, month - 2, 1, 12), to: Date.UTC(year, month - 1, 0, 12) },
  };
}
