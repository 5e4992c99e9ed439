import { z } from 'zod';
import { find } from '#contract/find/find.calls.ts';
import { getFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { leadStatus } from '#contract/leads/lead.ts';
import { followUpDue, LEAD_SORTS, leadAttention } from '#contract/leads/lead-filter.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { getLead, listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { getToday, todaySection } from '#contract/leads/today/today.calls.ts';
import { MAX_ROWS } from './bound-answer.ts';
import { compactLead, compactListed, readDoNotContact } from './compact-lead.ts';
import { defineTool } from './tool.ts';

export const findLeads = defineTool({
  name: 'find_leads',
  title: 'Find leads',
  description:
    'Finds leads by a few words of the name, phone, postcode, town, contact person, e-mail, tag, note or activity. Answers with at most 20.',
  input: z.object({ text: z.string().min(2).max(100).describe('The words') }),
  calls: [find],
  run: async ({ text }, { make }) => {
    const { leads, moreLeads, similar } = await make(find, { query: { q: text } });
    return {
      about: { moreLeads, similar },
      rows: leads.map(({ uuid, id: _, objections, ...lead }) => ({
        lead: uuid,
        ...lead,
        ...readDoNotContact(objections),
      })),
    };
  },
});

export const listLeadsTool = defineTool({
  name: 'list_leads',
  title: 'List leads',
  description:
    "A page of leads, filtered and sorted. Without `team` and for users: the user's own leads. Closed leads are left out unless `includeClosed`.",
  input: z.object({
    text: z.string().max(200).optional().describe('Words that the lead has'),
    status: z.array(leadStatus).max(8).optional(),
    tags: z.array(z.string().max(50)).max(30).optional().describe('Leads with any of these tags'),
    types: z.array(z.string().max(100)).max(30).optional().describe('Types of business'),
    town: z.string().max(200).optional(),
    district: z.string().max(10).optional().describe('A postcode district, such as LS1, or an area, such as LS'),
    attention: leadAttention.optional(),
    followUp: followUpDue.optional().describe('Whether a next step is planned, and for when'),
    neverContacted: z.boolean().optional(),
    team: z.boolean().optional().describe('The leads of the whole team, for managers and administrators'),
    holder: z.number().int().optional().describe('The leads of this user, by id'),
    includeClosed: z.boolean().optional(),
    archived: z.boolean().optional().describe('Archived leads as well'),
    sort: z.enum(LEAD_SORTS).optional(),
    page: z.number().int().min(1).optional(),
    pageSize: z.number().int().min(1).max(MAX_ROWS).optional(),
  }),
  calls: [listLeads],
  run: async (
    { text, includeClosed = false, neverContacted, holder, status, tags, types, pageSize = 20, ...rest },
    { make },
  ) => {
    const { items, total, totalCapped, page } = await make(listLeads, {
      query: {
        ...rest,
        q: text,
        user: holder,
        status: status?.join(','),
        tags: tags?.join(','),
        types: types?.join(','),
        contacted: neverContacted ? 'never' : undefined,
        hideClosed: !includeClosed,
        pageSize,
      },
    });
    return {
      about: { page, pageSize, matching: total, ...(totalCapped && { moreMatch: true }) },
      rows: items.map(compactListed),
    };
  },
});

const lead = z.uuid().describe('The `lead` of another answer');

export const getLeadTool = defineTool({
  name: 'get_lead',
  title: 'Profile of a lead',
  description: 'One lead with its business, details, notes, next step, and what happened to it, newest first.',
  input: z.object({ lead }),
  calls: [getLead.byUuid, getTimeline.byUuid, getFollowUp.byUuid],
  run: async ({ lead }, { make }) => {
    const params = { uuid: lead };
    const { business, userBusiness, user } = await make(getLead.byUuid, { params });
    const { followUp } = await make(getFollowUp.byUuid, { params });
    const { items, next } = await make(getTimeline.byUuid, { params });
    const { contactActivities: _, ...found } = userBusiness;
    return {
      about: {
        ...compactLead(business, found, user),
        notes: found.notes,
        nextStep: followUp,
        moreHistory: next !== null,
      },
      rows: items.map(({ id: _, ...entry }) => entry),
    };
  },
});

export const getTodayTool = defineTool({
  name: 'get_today',
  title: 'Today',
  description:
    "What is to be done today with the user's own leads, by section: overdue, due, new, loose (no next step), quiet, later.",
  input: z.object({ section: todaySection.optional().describe('Only this section') }),
  calls: [getToday],
  run: async ({ section: only }, { make }) => {
    const today = await make(getToday);
    const sections = todaySection.options.filter((section) => !only || section === only);
    return {
      about: { counts: Object.fromEntries(todaySection.options.map((section) => [section, today[section].count])) },
      rows: sections.flatMap((section) =>
        today[section].leads.map(({ followUp, ...item }) => ({ section, ...compactListed(item), nextStep: followUp })),
      ),
      total: sections.reduce((sum, section) => sum + today[section].count, 0),
    };
  },
});

export const getChoices = defineTool({
  name: 'get_choices',
  title: 'Statuses, fields and users',
  description:
    "What changes of leads are made of: the statuses, the team's own fields with their ids and choices, and the users to whom a lead can be assigned.",
  input: z.object({}),
  calls: [listOwnFields, listUsersForReassignment],
  run: async (_, { make, viewer }) => {
    const { fields } = await make(listOwnFields);
    const users = await make(listUsersForReassignment);
    return {
      about: {
        you: viewer.id,
        statuses: leadStatus.options,
        ownFields: fields
          .filter(({ archived }) => !archived)
          .map(({ id, name, type, unit, help, requiredToWin, choices }) => ({
            ...{ id, name, type, unit, help, requiredToWin },
            choices: choices.filter(({ retired }) => !retired).map(({ id, label }) => ({ id, label })),
          })),
      },
      rows: users.map(({ id, fullName, role }) => ({ id, name: fullName, role })),
    };
  },
});
