import type { Query, ResponseBody } from '#contract/call.ts';
import type { TeamFormat } from '#contract/format.ts';
import type { ShownChange } from '#contract/leads/fields/logged-change.ts';
import { IMPORTED_TAG, type Lead } from '#contract/leads/lead.ts';
import { type getTimeline, TIMELINE_PAGE, type TimelineEntry } from '#contract/leads/timeline/timeline.calls.ts';
import { showChanges } from '#server/change-log/show-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type Position, readSources, SOURCES, type TimelineRow } from './timeline.sql.ts';

type Options = Query<typeof getTimeline.byId> & { team: TeamFormat };

/** One page of what happened to a lead. */
export async function readTimeline(
  db: Db,
  lead: Lead,
  { show, before, after = before, team }: Options,
): Promise<ResponseBody<typeof getTimeline.byId>> {
  const from = after === undefined ? SOURCES.map(() => NEWEST) : parseCursor(after);
  const sources = await readSources(db, lead, { show, from, limit: TIMELINE_PAGE + 1 });
  const page = takePage(sources);
  const changes = page.filter((row) => row.kind === 'change');
  const shown = await showChanges(
    db,
    changes.map(({ data }) => data),
    team,
  );
  const shownById = new Map(changes.map(({ id }, nth) => [id, shown[nth] as ShownChange]));
  return {
    items: page.map((row) => toEntry(row, lead, shownById)),
    next: sources.some((rest) => rest.length) ? formatCursor(sources) : null,
  };
}

/** Merges the sources by time. What remains in them is what comes after the page. */
function takePage(sources: TimelineRow[][]): TimelineRow[] {
  const page: TimelineRow[] = [];
  while (page.length < TIMELINE_PAGE) {
    const newest = sources.reduce((best, source) => (firstAt(source) > firstAt(best) ? source : best));
    const row = newest.shift();
    if (!row) break;
    page.push(row);
  }
  return page;
}

const firstAt = (source: TimelineRow[]) => source[0]?.at ?? '';

const NEWEST: Position = { at: '9999-12-31T23:59:59.999Z', id: Number.MAX_SAFE_INTEGER };

/** The position of each source, empty where nothing is left of it. */
const formatCursor = (sources: TimelineRow[][]) =>
  sources.map(([first]) => (first ? `${Date.parse(first.at)}-${first.id}` : '')).join('.');

const parseCursor = (cursor: string): (Position | undefined)[] =>
  cursor.split('.').map((position) => {
    const [at, id] = position.split('-').map(Number);
    return at === undefined || id === undefined ? undefined : { at: new Date(at).toISOString(), id };
  });

function toEntry(row: TimelineRow, { tags }: Lead, shownById: Map<number, ShownChange>): TimelineEntry {
  const program = row.program === null ? {} : { program: row.program };
  const common = { id: `${row.kind}-${row.id}`, at: row.at, user: row.user, ...program };
  switch (row.kind) {
    case 'activity':
      return { ...common, kind: row.kind, ...row.data };
    case 'change': {
      const { source, undo, done } = row.data;
      return { ...common, kind: row.kind, change: shownById.get(row.id) as ShownChange, source, undo, done };
    }
    case 'assignment':
      return {
        ...common,
        kind: row.kind,
        ...row.data,
        // Only imports give this tag, to the leads they create, and no user can remove it.
        imported: row.data.previous === null && tags.includes(IMPORTED_TAG),
      };
    case 'comment':
      return { ...common, kind: row.kind, commentId: row.id, ...row.data };
    case 'credit':
      return { ...common, kind: row.kind, ...row.data };
  }
}
