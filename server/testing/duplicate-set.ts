import type { businesses } from '#server/schema/leads.ts';

type NewBusiness = typeof businesses.$inferInsert;

/** Invented businesses, some of them twice, with records that only look like duplicates among them. */
export interface DuplicateSet {
  rows: NewBusiness[];
  /** The place ids of the two records of each business that is there twice. */
  pairs: [string, string][];
}

interface Options {
  businesses: number;
  duplicates: number;
  seed: number;
}

/**
 * One in ten is a branch of a chain (same name and website, some with the phone number of the head office), one in twenty
 * a tenant of a serviced office (same phone and postcode), one in twenty a neighbour with a similar name, one in fifty has
 * the name of another business in its town.
 */
export function generateDuplicateSet({ businesses: count, duplicates, seed }: Options): DuplicateSet {
  const random = createRandom(seed);
  const rows: NewBusiness[] = [];
  const add = (business: Business) => {
    rows.push({ placeId: `set-${seed}-${rows.length}`, ...toRow(business) });
  };
  const known: Business[] = [];
  const tenants = new Set<string>();
  while (rows.length < count - duplicates) {
    const kind = random.below(100);
    const business = inventBusiness(random);
    const earlier = known[random.below(known.length || 1)];
    if (kind < 10) add(inventBranch(random));
    else if (kind < 15) {
      // The same name twice behind one telephone number would be a duplicate indeed.
      const tenant = inventTenant(random);
      const key = `${tenant.name} ${tenant.phone}`;
      if (!tenants.has(key)) add(tenant);
      tenants.add(key);
    } else if (kind < 20 && earlier) add(inventNeighbour(random, earlier, business));
    else if (kind < 22 && earlier) add({ ...business, name: earlier.name, town: earlier.town });
    else {
      known.push(business);
      add(business);
    }
  }
  const originals = random.shuffle(rows.map((_, at) => at)).slice(0, duplicates);
  const pairs = originals.map((at): [string, string] => {
    const original = rows[at] as NewBusiness;
    const copy = { ...distort(random, original), placeId: `${original.placeId}-copy` };
    rows.push(copy);
    return [original.placeId, copy.placeId];
  });
  return { rows: random.shuffle(rows), pairs };
}

interface Business {
  name: string;
  street: string;
  town: string;
  postcode: string;
  phone: string | null;
  website: string | null;
}

const toRow = ({ name, street, town, postcode, phone, website }: Business) => ({
  name,
  formattedAddress: `${street}, ${town} ${postcode}, UK`,
  town,
  phone,
  website,
});

const TOWNS =
  'York Bath Leeds Exeter Norwich Chester Bristol Cambridge Harrogate Brighton Durham Lincoln Oxford Derby Truro Wells'.split(
    ' ',
  );
const STREETS =
  'High Street,Mill Lane,Station Road,Church Street,Market Place,Bridge Street,Park Road,Queen Street'.split(',');
const FIRST =
  'Blue Red Golden Silver Green Old New Royal Little Grand Corner Village Northern Southern Crystal Copper Ivory Willow Cedar Harbour'.split(
    ' ',
  );
const SECOND =
  'Door Lion Oak River Bell Crown Rose Star Anchor Bridge Garden Fox Swan Horse Lamp Stone Feather Lantern Kettle Thistle'.split(
    ' ',
  );
const SURNAMES =
  'Hartley Pemberton Whitfield Ashworth Bairstow Calvert Dewhurst Entwistle Fairfax Greenhalgh Holroyd Illingworth Kershaw Lockwood Murgatroyd Naylor Ogden Priestley Ramsbottom Sutcliffe Thwaite Umpleby Verity Wadsworth Yarwood'.split(
    ' ',
  );
const TRADES =
  'Bakery,Barbers,Plumbing,Dental Practice,Dental Care,Florist,Garage,Motors,Electrical Services,Roofing,Coffee House,Tea Rooms,Solicitors,Accountants,Veterinary Centre,Opticians,Pharmacy,Butchers,Hair Studio,Fish Bar,Kitchens,Carpets,Joinery,Landscapes'.split(
    ',',
  );
const CHAINS = 40;

function inventBusiness(random: Random): Business {
  const town = random.pick(TOWNS);
  const trade = random.pick(TRADES);
  const name = random.pick([
    () => `${random.pick(FIRST)} ${random.pick(SECOND)} ${trade}`,
    () => `${random.pick(SURNAMES)} ${trade}`,
    () => `${random.pick(SURNAMES)} & Sons ${trade}`,
    () => `${random.pick(SURNAMES)} and ${random.pick(SURNAMES)} ${trade}`,
    () => `The ${random.pick(FIRST)} ${random.pick(SECOND)}`,
    () => `${town} ${trade}`,
  ])();
  return {
    name,
    ...inventAddress(random),
    town,
    phone: random.below(10) ? inventPhone(random) : null,
    website: random.below(10) < 7 ? `https://www.${toSlug(name)}-${random.below(1_000_000)}.example` : null,
  };
}

function inventBranch(random: Random): Business {
  const chain = random.below(CHAINS);
  const name =
    `${SURNAMES[chain % SURNAMES.length]} ${TRADES[chain % TRADES.length]} ${chain % 3 ? '' : 'Express'}`.trim();
  const town = random.pick(TOWNS);
  const headOffice = chain % 4 === 0 ? `01632 9${String(chain).padStart(5, '0')}` : null;
  return {
    name: random.below(3) ? name : `${name} ${town}`,
    ...inventAddress(random),
    town,
    phone: headOffice ?? inventPhone(random),
    website: `https://www.chain${chain}.example/branches/${random.below(10_000)}`,
  };
}

/** Of a serviced office: fifty businesses at one address behind one telephone number. */
function inventTenant(random: Random): Business {
  const office = random.below(20);
  return {
    ...inventBusiness(random),
    street: `Unit ${random.below(50) + 1}, ${office + 1} Enterprise House`,
    town: TOWNS[office % TOWNS.length] as string,
    postcode: `ZE${(office % 9) + 1} ${(office % 9) + 1}QZ`,
    phone: `01632 8${String(office).padStart(5, '0')}`,
  };
}

const inventNeighbour = (random: Random, earlier: Business, business: Business): Business => ({
  ...business,
  // The other trade is none that the first one has a word of.
  name: `${earlier.name.split(' ').slice(0, -1).join(' ')} ${random.pick(
    TRADES.filter((trade) => !trade.split(' ').some((word) => earlier.name.includes(word))),
  )}`,
  street: earlier.street.replace(/^\d+/, (number) => String(Number(number) + 2)),
  town: earlier.town,
  postcode: earlier.postcode,
});

const LETTERS = 'ABDEFGHJLNPQRSTUWXYZ';

const inventAddress = (random: Random) => ({
  street: `${random.below(200) + 1} ${random.pick(STREETS)}`,
  postcode: `Z${random.letter()}${random.below(20) + 1} ${random.below(9) + 1}${random.letter()}${random.letter()}`,
});

const inventPhone = (random: Random) => `01632 ${String(random.below(700_000)).padStart(6, '0')}`;
const toSlug = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, '');

/** The same business as another source has it: one to three differences. */
function distort(random: Random, original: NewBusiness): NewBusiness {
  const differences = random.shuffle(DIFFERENCES).slice(0, 1 + random.below(3));
  const copy = { ...original };
  for (const change of differences) Object.assign(copy, change(copy, random));
  return copy;
}

const DIFFERENCES: ((business: NewBusiness, random: Random) => Partial<NewBusiness>)[] = [
  ({ name }, random) => ({ name: misspell(name, random) }),
  ({ name }) => ({ name: `${name} Ltd` }),
  ({ name }) => ({ name: name.replace(/^The /, '').replace(' & ', ' and ').toUpperCase() }),
  ({ name }) => ({ name: name.replace('Services', 'Svcs').replace('Centre', 'Ctr').replace('Practice', 'Pract') }),
  ({ name }) => ({ name: name.replace(/ and .*? /, ' ').replace(' & Sons', '') }),
  ({ phone }) => ({ phone: phone ? `+44 (0)${phone.slice(1).replace(' ', '-')}` : null }),
  ({ phone }) => ({ phone: phone ? phone.replaceAll(' ', '') : null }),
  () => ({ phone: null }),
  () => ({ website: null }),
  (_, random) => ({ website: `https://moved-${random.below(1_000_000)}.example` }),
  ({ website }) => ({ website: website ? website.replace('https://www.', 'http://') : null }),
  ({ formattedAddress, town }) => ({ formattedAddress: formattedAddress ? `${town}` : null }),
  ({ formattedAddress }) => ({
    formattedAddress: formattedAddress?.replace('Street', 'St').replace('Road', 'Rd') ?? null,
  }),
  () => ({ town: null }),
  (_, random) => ({ phone: inventPhone(random) }),
];

function misspell(name: string, random: Random): string {
  const at = 1 + random.below(name.length - 2);
  return random.pick([
    () => name.slice(0, at) + name.slice(at + 1),
    () => name.slice(0, at) + name.charAt(at) + name.slice(at),
    () => name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2),
  ])();
}

type Random = ReturnType<typeof createRandom>;

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    letter: () => LETTERS.charAt(below(LETTERS.length)),
    shuffle: <T>(list: readonly T[]) => {
      const shuffled = [...list];
      for (let at = shuffled.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
      }
      return shuffled;
    },
  };
}
