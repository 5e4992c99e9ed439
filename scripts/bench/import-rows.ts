import { csvFile } from '#contract/csv.ts';

export interface BenchRow {
  name: string;
  address: string;
  town: string;
  contact: string;
  phone: string;
  email: string;
  website: string;
  tags: string[];
}

const TOWNS = ['Leeds', 'York', 'Harrogate', 'Whitby', 'Skipton', 'Ilkley', 'Settle', 'Ripon'];
const TRADES = ['Bakery', 'Café', 'Bookshop', 'Florist', 'Garage', 'Butcher', 'Tailor'];

/** Businesses as a team would have them in a spreadsheet, every column filled. */
export function rowsOf(round: string, count: number): BenchRow[] {
  return Array.from({ length: count }, (_, nth) => {
    const town = TOWNS[nth % TOWNS.length] ?? '';
    const trade = TRADES[nth % TRADES.length] ?? '';
    return {
      name: `${town} ${trade} ${round} no. ${nth}`,
      address: `${(nth % 200) + 1} High Street, ${town} LS${(nth % 28) + 1} ${nth % 10}AB`,
      town,
      contact: `Contact ${nth}`,
      phone: `01632 ${String(nth % 1_000_000).padStart(6, '0')}`,
      email: `contact${nth}@example.org`,
      website: `https://shop${nth}.example.org`,
      tags: [trade, 'Spring campaign'],
    };
  });
}

export function csvOf(rows: BenchRow[]): Blob {
  const header = [
    'Business Name',
    'Address',
    'Town',
    'Contact Name',
    'Phone',
    'Email Address',
    'Website',
    'Custom Tag',
  ];
  const cells = rows.map((row) => [
    ...[row.name, row.address, row.town, row.contact, row.phone, row.email, row.website],
    row.tags.join(', '),
  ]);
  return new Blob([csvFile([header, ...cells])]);
}
