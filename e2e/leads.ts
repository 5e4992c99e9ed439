import type { Input } from '#contract/call.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { People, Person } from './people.ts';

const businessType = 'Restaurant';

/** What else an assignment can say: its status, its tags, whether it is archived. */
type More = Partial<Input<typeof assignBusiness>['body']>;

/** Businesses found in the sample that comes with the product, given to somebody as leads. */
export async function giveLeads(
  people: People,
  holder: Person,
  count = 1,
  from = 0,
  location = 'Leeds',
  more: More = {},
) {
  const { businesses } = await people.ask(searchBusinesses, { body: { businessType, location } });
  const given = [];
  for (const business of businesses.slice(from, from + count)) {
    const lead = await people.ask(assignBusiness, { body: { ...more, userId: holder.id, businessId: business.id } });
    given.push({ ...lead, business, path: `/business/uuid/${lead.uuid}` });
  }
  if (given.length < count) throw new Error(`the sample has ${given.length} of ${count} businesses`);
  return given as [Given, ...Given[]];

  type Given = (typeof given)[number];
}
