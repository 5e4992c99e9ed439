import { importBusinesses } from '#contract/import/import.calls.ts';
import { bulkDelete, listLeads } from '#contract/leads/lead-lists.calls.ts';
import type { Asker } from './asker.ts';
import type { Person } from './people.ts';

const TOWNS = ['Leeds', 'Bristol', 'York', 'Hull', 'Bath', 'Derby', 'Exeter', 'Luton', 'Preston', 'Truro'];
const TRADES = ['Bakery', 'Café', 'Florist', 'Garage', 'Dentist', 'Optician', 'Butcher', 'Salon', 'Gym', 'Bookshop'];
const TAGS = ['hot', 'cold', 'summer', 'chain', 'referral'];
const HEADER = 'Business Name,Address,Town,Phone,User,Tags';

/** A CSV file of invented businesses, shared out among the people. */
export function csvOf(prefix: string, rows: number, people: { username: string }[]): string {
  const lines = Array.from({ length: rows }, (_, nth) => {
    const [town, trade] = [TOWNS[nth % TOWNS.length], TRADES[(nth * 7) % TRADES.length]];
    const holder = people[nth % people.length]?.username ?? '';
    return `${prefix} ${trade} ${nth},${nth} High Street,${town},0113 496 ${1000 + (nth % 9000)},${holder},${TAGS[nth % TAGS.length]}`;
  });
  return `${HEADER}\n${lines.join('\n')}\n`;
}

export async function importLeads(asker: Asker, admin: Person, csv: string) {
  const response = await asker.importCsv<{ importResults: { successful: number } }>(importBusinesses.path, csv, admin);
  if (response.status !== 200) throw new Error(`not imported: ${response.status} ${response.error ?? response.text}`);
  return response;
}

/** Deletes every lead of a business whose name begins so, page by page. */
export async function deleteLeads(asker: Asker, admin: Person, prefix: string) {
  for (;;) {
    const query = { q: prefix, pageSize: 100, hideClosed: false };
    const { body } = await asker.ask(listLeads, { query }, admin);
    const ids = body.items?.map(({ userBusiness }) => userBusiness.id) ?? [];
    if (!ids.length) return;
    await asker.ask(bulkDelete, { body: { ids } }, admin);
  }
}

export { TOWNS, TRADES };
