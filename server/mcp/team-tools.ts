import { z } from 'zod';
import { getCoverage } from '#contract/coverage/coverage.calls.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { reportGroup } from '#contract/reports/group.ts';
import { reportPeriod } from '#contract/reports/period.ts';
import { getPipeline } from '#contract/reports/pipeline.calls.ts';
import { getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Answer } from './bound-answer.ts';
import { MAX_ROWS } from './bound-answer.ts';
import { readDoNotContact } from './compact-lead.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** Users see their own figures only. */
const whose = (viewer: Viewer, user: number | undefined) => user ?? (viewer.role === 'user' ? viewer.id : undefined);

const reportInput = z.object({
  report: z
    .enum(['funnel', 'groups', 'activity', 'call_times', 'pipeline', 'slipped'])
    .describe(
      'funnel: how far leads came; groups: the same by a group; activity: contacts by person and day; call_times: by weekday and hour; pipeline: open leads by status; slipped: overdue, quiet, never contacted, without a next step, by holder',
    ),
  period: reportPeriod.default('month').describe('Not of pipeline and slipped, which are of now'),
  from: z.iso.date().optional().describe('Of the period "days"'),
  to: z.iso.date().optional(),
  user: z.number().int().optional().describe('Of this user, by id; otherwise the team, for users their own'),
  by: reportGroup.optional().describe('Of groups'),
});

export const getReport = defineTool({
  name: 'get_report',
  title: 'Reports',
  description: 'Figures of a report, for a period and the team or a user.',
  input: reportInput,
  calls: [getFunnel, getGroups, getActivity, getCallTimes, getPipeline, getSlipped],
  run: async (args, context) => {
    const answer = await readReport(args, context);
    const { report, period } = args;
    return { ...answer, about: { report, ...(!OF_NOW.includes(report) && { period }), ...answer.about } };
  },
});

const OF_NOW = ['pipeline', 'slipped'];

async function readReport(
  { report, by, user: given, ...days }: z.output<typeof reportInput>,
  { make, viewer }: ToolContext,
): Promise<Answer> {
  const user = whose(viewer, given);
  const query = { ...days, user };
  switch (report) {
    case 'funnel':
      return { about: await make(getFunnel, { query }) };
    case 'groups': {
      const { groups, total, ...about } = await make(getGroups, { query: { ...query, by } });
      return { about, rows: groups, total };
    }
    case 'activity': {
      const { people, ...about } = await make(getActivity, { query });
      return { about, rows: people };
    }
    case 'call_times':
      return { rows: await make(getCallTimes, { query }) };
    case 'pipeline':
      return { rows: await make(getPipeline, { query: { user } }) };
    case 'slipped':
      return { rows: await make(getSlipped, { query: { user } }) };
  }
}

export const getCoverageTool = defineTool({
  name: 'get_coverage',
  title: 'Coverage',
  description:
    'Known businesses, leads, contacts and won leads by postcode district, the districts with the most known businesses first.',
  input: z.object({
    type: z.string().max(100).optional().describe('Only this type of business'),
    user: z.number().int().optional().describe('Of this user, by id; otherwise the team, for users their own'),
    area: z.string().max(4).optional().describe('Only districts that begin so, such as LS'),
  }),
  calls: [getCoverage],
  run: async ({ type, user, area = '' }, { make, viewer }) => {
    const { districts, ...about } = await make(getCoverage, { query: { type, userId: whose(viewer, user) } });
    const rows = districts
      .filter(({ district }) => district.toUpperCase().startsWith(area.toUpperCase()))
      .sort((a, b) => b.known - a.known || b.leads - a.leads);
    return { about, rows };
  },
});

export const searchPlaces = defineTool({
  name: 'search_places',
  title: 'Search places',
  description:
    "Searches businesses that are not leads yet, by type and place, with the team's places provider. A search may cost money: it counts against the team's limits and its monthly cap.",
  input: z.object({
    businessType: z.string().min(1).max(200).describe('Such as Bakery'),
    location: z.string().min(1).max(200).describe('A town or a postcode'),
    keyword: z.string().max(200).optional(),
    maxResults: z.number().int().min(1).max(MAX_ROWS).default(20),
  }),
  // It stores what it finds, and asks a provider.
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  calls: [searchBusinesses],
  run: async (args, { make }) => {
    const { businesses, totalCount, provider, sample, notices, attributions } = await make(searchBusinesses, {
      body: { ...args, pageSize: Math.max(5, args.maxResults) },
    });
    return {
      about: { found: totalCount, provider, sample, notices, attributions },
      rows: businesses.map(
        ({ id, name, formattedAddress, phone, website, rating, types, alreadyLead, objections, leads }) => ({
          ...{ business: id, name, address: formattedAddress, phone, ...readDoNotContact(objections) },
          ...{ website, rating, types, alreadyLead },
          leads: leads.map(({ uuid, status }) => ({ lead: uuid, status })),
        }),
      ),
    };
  },
});
