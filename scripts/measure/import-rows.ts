import { createHash } from 'node:crypto';
import { csvFile } from '#contract/csv.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';

const SYLLABLES = 'ash bar cor den ell far gar hol kin lor mar nor pem quin ros sten tor ver wil yar'.split(' ');
const TRADES = ['Bakery', 'Café', 'Bookshop', 'Florist', 'Garage', 'Butcher', 'Tailor'];
const HEADER = 'Business Name|Address|Town|Contact Name|Phone|Email Address|Website|Custom Tag'.split('|');

/** Businesses as a team has them in a spreadsheet, every column filled, in the order of the header. */
export const buildRows = (prefix: string, count: number): string[][] =>
  Array.from({ length: count }, (_, nth) => {
    const random = createHash('md5').update(`${prefix} ${nth}`).digest();
    const family = [0, 1, 2].map((at) => SYLLABLES[random.readUInt8(at) % SYLLABLES.length]).join('');
    const district = UK_DISTRICTS[random.readUInt16LE(3) % UK_DISTRICTS.length];
    const town = district?.town || 'Leeds';
    const trade = TRADES[nth % TRADES.length] ?? '';
    return [
      `${family} ${trade}`,
      `${nth} High Street, ${town} ${district?.code} ${nth % 10}AB`,
      town,
      `Contact ${nth}`,
      `01${String(random.readUInt32LE(5) % 1_000_000_000).padStart(9, '0')}`,
      `contact@${family}${nth}.example.org`,
      `https://${family}${random.readUInt32LE(9)}.example.org`,
      `${trade}, Spring campaign`,
    ];
  });

export const toCsv = (rows: string[][]) => new Blob([csvFile([HEADER, ...rows])]);
