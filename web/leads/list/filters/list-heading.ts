import { formatOriginKey } from '#contract/leads/fields/lead-origin.ts';
import { FUNNEL_STEP_LABEL } from '#contract/leads/funnel-step.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { ATTENTION_LABEL } from '#contract/leads/lead-filter.ts';
import { parseConditions } from '#contract/leads/own-fields/own-filter.ts';
import { monthName } from '#contract/progress/calendar.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import { describeConditions } from './describe-conditions.ts';
import { FACTS, type FilterWords, formatDays, SOURCE_LABEL } from './more-filters.ts';

interface Words extends FilterWords {
  /** Whose leads are listed: "Priya Shah", YOU; undefined for those of everyone. */
  holder: string | undefined;
}

export const YOU = 'you';

/** "Won: leads assigned in October 2026 to Priya Shah, from search": what a figure of a report counted. */
export function describeReportList(state: ListState, words: Words): string | undefined {
  const { outcomes, holder } = words;
  if (!state.step && state.attention === 'all') return undefined;
  const { outcome, assignedFrom: from, assignedTo: to } = state;
  const subjects = [
    state.step && FUNNEL_STEP_LABEL[state.step],
    state.attention !== 'all' && ATTENTION_LABEL[state.attention],
    outcome && (outcome === 'none' ? 'no outcome logged' : outcomes[outcome].label),
  ].filter(Boolean);
  const leads =
    from || to
      ? formatAssigned(from && to ? formatPeriod(from, to) : formatDays(from, to), holder)
      : formatHeld(holder);
  return `${subjects.join(', ')}: ${[leads, ...listTraits(state, words)].join(', ')}`;
}

type Holder = Words['holder'];
const formatAssigned = (days: string, holder: Holder) => `leads assigned ${days}${holder ? ` to ${holder}` : ''}`;
const formatHeld = (holder: Holder) => (holder === YOU ? 'your leads' : `leads of ${holder ?? 'the team'}`);

function listTraits(state: ListState, { fields, team }: Words): string[] {
  const { types, district, town, source, origin, tags, status } = state;
  const facts = FACTS.flatMap(([key, label]) => {
    if (state[key] === '') return [];
    return state[key] === 'true' ? `with ${label}` : `without ${label}`;
  });
  const own = team ? describeConditions(parseConditions(state.own) ?? [], fields, team).map(({ label }) => label) : [];
  const joinOr = (words: string[]) => words.join(' or ');
  return [
    types.length && joinOr(types),
    district && `in ${district}`,
    town !== 'all' && `in ${town}`,
    source && `from ${SOURCE_LABEL[source].toLowerCase()}`,
    origin && `source: ${formatOriginKey(origin)}`,
    tags.length && `tagged ${joinOr(tags)}`,
    status.length && joinOr(status.map((each) => LEAD_STATUS_LABEL[each])),
    ...facts,
    ...own,
  ].filter((trait) => typeof trait === 'string' && trait !== '') as string[]; // the filter leaves texts only
}

/** "in October 2026" for a whole month, "Nov 1, 2026 to Nov 19, 2026" for other days. */
function formatPeriod(from: string, to: string): string {
  const [year = 0, month = 0, day] = from.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return day === 1 && to === lastDay ? `in ${monthName({ month })} ${year}` : formatDays(from, to);
}
