import { formatOriginKey } from '#contract/leads/fields/lead-origin.ts';
import { FUNNEL_STEP_LABEL } from '#contract/leads/funnel-step.ts';
import { LEAD_STATUS_LABEL, type LeadStatus } from '#contract/leads/lead.ts';
import { ATTENTION_LABEL } from '#contract/leads/lead-filter.ts';
import { parseConditions } from '#contract/leads/own-fields/own-filter.ts';
import { parseStatusOn } from '#contract/leads/status-on.ts';
import { monthName } from '#contract/progress/calendar.ts';
import { OPEN_STATUSES } from '#contract/reports/pipeline.calls.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import { describeConditions } from './describe-conditions.ts';
import { FACTS, type FilterWords, formatDays, formatStatusThen, nameUser, SOURCE_LABEL } from './more-filters.ts';

interface Words extends FilterWords {
  /** Whether it is a list of everyone's leads, and not of the viewer's own. */
  listsEveryone: boolean;
}

const YOU = 'you';

/**
 * "Won: leads assigned in October 2026 to Priya Shah, from search": what a figure of a report counted. Undefined for lists that no
 * report opens.
 */
export function describeReportList(state: ListState, words: Words): string | undefined {
  const subjects = listSubjects(state, words);
  if (!subjects.length) return undefined;
  const { assignedFrom: from, assignedTo: to } = state;
  const holder = nameHolder(state, words);
  const leads =
    from || to
      ? formatAssigned(from && to ? formatPeriod(from, to) : formatDays(from, to), holder)
      : formatHeld(holder);
  return `${subjects.join(', ')}: ${[leads, ...listTraits(state, words)].join(', ')}`;
}

function listSubjects(state: ListState, { outcomes }: Words): string[] {
  const { step, attention, statusOn, status, outcome } = state;
  const on = parseStatusOn(statusOn);
  const main = [
    ...(step ? [FUNNEL_STEP_LABEL[step]] : []),
    ...(attention === 'all' ? [] : [ATTENTION_LABEL[attention]]),
    ...(on ? [formatStatusThen(on)] : []),
  ];
  if (!main.length) return status.length ? [formatStatuses(status)] : [];
  return outcome ? [...main, outcome === 'none' ? 'no outcome logged' : outcomes[outcome].label] : main;
}

const formatStatuses = (statuses: LeadStatus[]) =>
  OPEN_STATUSES.every((open) => statuses.includes(open)) && statuses.length === OPEN_STATUSES.length
    ? 'Open'
    : joinOr(statuses.map((each) => LEAD_STATUS_LABEL[each]));

/** Whose leads they are, or were on the day that is looked back at: "Priya Shah", YOU; undefined for those of everyone. */
function nameHolder({ user, statusOn }: ListState, { users, listsEveryone }: Words): string | undefined {
  if (!listsEveryone) return YOU;
  const on = parseStatusOn(statusOn);
  const id = on ? on.user : user;
  return id === undefined || id === 'all' ? undefined : nameUser(users, id);
}

type Holder = string | undefined;
const formatAssigned = (days: string, holder: Holder) => `leads assigned ${days}${holder ? ` to ${holder}` : ''}`;
const formatHeld = (holder: Holder) => (holder === YOU ? 'your leads' : `leads of ${holder ?? 'the team'}`);

function listTraits(state: ListState, { fields, team, users, listsEveryone }: Words): string[] {
  const { types, district, town, source, origin, tags, status, statusOn, step, attention, user } = state;
  const facts = FACTS.flatMap(([key, label]) => {
    if (state[key] === '') return [];
    return state[key] === 'true' ? `with ${label}` : `without ${label}`;
  });
  const own = team ? describeConditions(parseConditions(state.own) ?? [], fields, team).map(({ label }) => label) : [];
  // Where nothing else is, the status is what the list is of.
  const isOfStatus = !step && !statusOn && attention === 'all';
  const now = statusOn ? 'now ' : '';
  return [
    types.length && joinOr(types),
    district && `in ${district}`,
    town !== 'all' && `in ${town}`,
    source && `from ${SOURCE_LABEL[source].toLowerCase()}`,
    origin && `source: ${formatOriginKey(origin)}`,
    tags.length && `tagged ${joinOr(tags)}`,
    !isOfStatus && status.length && now + formatStatuses(status),
    statusOn && listsEveryone && user !== 'all' && `now of ${nameUser(users, user)}`,
    ...facts,
    ...own,
  ].filter((trait) => typeof trait === 'string' && trait !== '') as string[]; // the filter leaves texts only
}

const joinOr = (words: string[]) => words.join(' or ');

/** "in October 2026" for a whole month, "Nov 1, 2026 to Nov 19, 2026" for other days. */
function formatPeriod(from: string, to: string): string {
  const [year = 0, month = 0, day] = from.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return day === 1 && to === lastDay ? `in ${monthName({ month })} ${year}` : formatDays(from, to);
}
