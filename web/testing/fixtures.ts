import type { Account } from '#contract/account/account.calls.ts';
import type { getSettings } from '#contract/auth/settings.calls.ts';
import type { ResponseBody } from '#contract/call.ts';
import type { ChangeBatch } from '#contract/changes/change.ts';
import type { Activity, Lead, LeadBusiness, LeadItem, LeadProfile } from '#contract/leads/lead.ts';
import type { ListedLead } from '#contract/leads/lead-lists.calls.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import type { TeamProgressItem } from '#contract/progress/progress.calls.ts';
import type { BusinessResult, SearchResponse } from '#contract/search/search.ts';
import type { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { DEFAULT_TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
import type { ManagedUser } from '#contract/users/user.ts';

// One builder for each entity; every other shape is made of these. A test names only the fields it is about.

export const SETTINGS: ResponseBody<typeof getSettings> = {
  supportEmail: 'help@example.com',
  timeZone: 'Europe/London',
  bankHolidays: 'england-and-wales',
  currency: 'GBP',
  tileUrl: 'https://tiles.example.com/{z}/{x}/{y}.png',
  tileAttribution: '© Example Maps',
  userSince: '2026-01-05T09:00:00.000Z',
  startAt: null,
  chooseOwnPassword: false,
  secondFactorDue: null,
  secondFactorOverdue: false,
  draftKey: btoa('a key of thirty-two bytes or so!'),
};

export const TEAM_SETTINGS: ResponseBody<typeof getTeamSettings> = {
  settings: DEFAULT_TEAM_SETTINGS,
  changes: { outcomes: null, addingLeads: null, security: null, contactRules: null, firstSteps: null },
};

let lastUserId = 0;

export function aUser({ username, ...user }: Partial<ManagedUser> & { username: string }): ManagedUser {
  lastUserId += 1;
  return {
    id: lastUserId,
    username,
    email: `${username}@example.com`,
    fullName: `The ${username}`,
    role: 'user',
    monthlyGoal: 100,
    active: true,
    failedLoginAttempts: 0,
    lockedUntil: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...user,
  };
}

/** The viewer, unless a test says otherwise. */
export const ada = aUser({ username: 'ada', fullName: 'Ada Lovelace', role: 'admin' });
export const bob = aUser({ username: 'bob', fullName: 'Bob Cratchit', monthlyGoal: 80 });

export const anAccount = (changes: Partial<Account> = {}): Account => {
  const { id, username, email, fullName, role, monthlyGoal, active, createdAt } = ada;
  return { user: { id, username, email, fullName, role, monthlyGoal, active }, createdAt, newEmail: null, ...changes };
};

/** The fields that a place and a business have in common. */
const shop = (n: number) => ({
  placeId: `place-${n}`,
  name: `Shop ${n}`,
  formattedAddress: `${n} High Street, Leeds LS1 4AP, UK`,
  phone: null,
  website: null,
  latitude: null,
  longitude: null,
  googleMapsUrl: null,
});

/** A result of the search. */
export const aPlace = (n: number, place: Partial<BusinessResult> = {}): BusinessResult => ({
  ...shop(n),
  id: n,
  businessStatus: 'OPERATIONAL',
  openNow: null,
  priceLevel: null,
  rating: null,
  userRatingsTotal: null,
  vicinity: null,
  phoneIsWrong: false,
  objections: [],
  internationalPhone: null,
  ownerName: null,
  types: [],
  icon: null,
  photoReferences: [],
  distanceMetres: null,
  alreadyLead: false,
  existingCustomer: false,
  leads: [],
  ...place,
});

export const aSearchResponse = (
  businesses: BusinessResult[],
  response: Partial<SearchResponse> = {},
): SearchResponse => ({
  businesses,
  page: 1,
  pageSize: 20,
  totalPages: 1,
  totalCount: businesses.length,
  nextPageToken: null,
  provider: 'local',
  sample: false,
  attributions: [],
  notices: [],
  ...response,
});

/** A field of the team's own. */
export const anOwnField = (n: number, field: Partial<OwnField> = {}): OwnField => ({
  id: n,
  ...{ name: `Field ${n}`, type: 'text', help: '', unit: '', choices: [] },
  ...{ requiredToWin: false, inProfile: true, inTable: true, onCard: false, inForm: false, archived: false },
  ...field,
});

/** A business, as a lead has it. Its id differs from the lead's, so that a test notices when they are mixed up. */
export const aBusiness = (n: number, business: Partial<LeadBusiness> = {}): LeadBusiness => ({
  ...shop(n),
  id: 1_000 + n,
  phoneIsWrong: false,
  objections: [],
  positionApproximate: false,
  type: null,
  typeGuessed: false,
  ...business,
});

export const aLead = (n: number, lead: Partial<Lead> = {}): Lead => ({
  id: n,
  uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  userId: bob.id,
  businessId: 1_000 + n,
  status: 'new',
  viewed: true,
  archived: false,
  archivedAt: null,
  existingCustomer: false,
  existingCustomerAt: null,
  assignedAt: '2026-03-04T12:00:00.000Z',
  lastContactedAt: null,
  nextStepAt: null,
  nextStepType: null,
  notes: '',
  notesVersion: 0,
  tags: [],
  customFields: {},
  ownFields: {},
  source: null,
  createdAt: '2026-03-04T12:00:00.000Z',
  updatedAt: '2026-03-04T12:00:00.000Z',
  ...lead,
});

/** A change of the status of one lead, by Ada. */
export const aBatch = (n: number, batch: Partial<ChangeBatch> = {}): ChangeBatch => ({
  id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
  at: '2026-03-04T12:00:00.000Z',
  kind: 'status',
  source: 'profile',
  user: toHolder(ada),
  count: 1,
  created: null,
  first: {
    name: `Shop ${n}`,
    uuid: aLead(n).uuid,
    change: { field: 'status', before: 'New', after: 'Closed (Won)' },
  },
  undid: null,
  undoneAt: null,
  canUndo: true,
  ...batch,
});

const toHolder = ({ id, username, fullName }: ManagedUser) => ({ id, username, fullName });

/** A lead in a list. */
export const aLeadItem = (n: number, lead: Partial<Lead> = {}, business: Partial<LeadBusiness> = {}): LeadItem => ({
  business: aBusiness(n, business),
  userBusiness: aLead(n, lead),
  user: toHolder(lead.userId === ada.id ? ada : bob),
});

export const aLeadPage = (items: (LeadItem & Partial<ListedLead>)[], total = items.length, totalCapped = false) => ({
  items: items.map((item): ListedLead => ({ latestActivity: null, match: null, ...item })),
  total,
  totalCapped,
  similar: false,
  page: 1,
  pageSize: 10,
});

export const aLeadProfile = (item: LeadItem, contactActivities: Activity[] = []): LeadProfile => ({
  ...item,
  userBusiness: { ...item.userBusiness, contactActivities },
});

/** A lead on a place that the search has found. */
export function aFoundLead(n: number, lead: Partial<BusinessResult['leads'][number]> = {}) {
  const { id, uuid, status, archived, existingCustomer, assignedAt } = aLead(n);
  return { id, uuid, status, archived, existingCustomer, assignedAt, mine: false, holder: toHolder(bob), ...lead };
}

export function aTeamItem(userId: number, name: string, count: number, target: number): TeamProgressItem {
  const { id, username, fullName, email } = aUser({ id: userId, username: `user${userId}`, fullName: name });
  const percentage = Math.round((count / target) * 1_000) / 10;
  return { user: { id, fullName, username, email }, count, target, percentage };
}
