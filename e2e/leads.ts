import type { Input } from '#contract/call.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { Account, Accounts } from './accounts.ts';

const businessType = 'Restaurant';

interface Options {
  count?: number;
  /** How many of the businesses found are skipped, so that two holders get different ones. */
  skip?: number;
  location?: string;
  /** Other fields of the assignment, for example its status. */
  fields?: Partial<Input<typeof assignBusiness>['body']>;
}

/** Assigns restaurants of the sample that comes with the product, in the order in which a search finds them. */
export async function assignLeads(accounts: Accounts, holder: Account, options: Options = {}) {
  const { count = 1, skip = 0, location = 'Leeds', fields = {} } = options;
  const { businesses } = await accounts.sendAsAdmin(searchBusinesses, { body: { businessType, location } });
  const leads = [];
  // One after the other: the list sorts by when a lead was assigned.
  for (const business of businesses.slice(skip, skip + count)) {
    const body = { ...fields, userId: holder.id, businessId: business.id };
    const lead = await accounts.sendAsAdmin(assignBusiness, { body });
    leads.push({ ...lead, business, path: `/business/uuid/${lead.uuid}` });
  }
  if (leads.length < count) throw new Error(`the sample has ${leads.length} of ${count} businesses`);
  return leads as [Lead, ...Lead[]];

  type Lead = (typeof leads)[number];
}
