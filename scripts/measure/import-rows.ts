import { csvFile } from '#contract/csv.ts';

const TOWNS = ['Leeds', 'York', 'Harrogate', 'Whitby', 'Skipton', 'Ilkley', 'Settle', 'Ripon'];
const TRADES = ['Bakery', 'Café', 'Bookshop', 'Florist', 'Garage', 'Butcher', 'Tailor'];
const HEADER = 'Business Name|Address|Town|Contact Name|Phone|Email Address|Website|Custom Tag'.split('|');

/** Businesses as a team has them in a spreadsheet, every column filled, in the order of the header. */
export const buildRows = (prefix: string, count: number): string[][] =>
  Array.from({ length: count }, (_, nth) => {
    const town = TOWNS[nth % TOWNS.length] ?? '';
    const trade = TRADES[nth % TRADES.length] ?? '';
    return [
      `${town} ${trade} ${prefix} no. ${nth}`,
      `${(nth % 200) + 1} High Street, ${town} LS${(nth % 28) + 1} ${nth % 10}AB`,
      town,
      `Contact ${nth}`,
      `01632 ${String(nth % 1_000_000).padStart(6, '0')}`,
      `contact${nth}@example.org`,
      `https://shop${nth}.example.org`,
      `${trade}, Spring campaign`,
    ];
  });

export const toCsv = (rows: string[][]) => new Blob([csvFile([HEADER, ...rows])]);
