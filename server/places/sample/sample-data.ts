// Data for the generated sample. Phone numbers are those that Ofcom reserves for drama, and websites end in .example,
// which is reserved (RFC 2606).

export const SURNAMES =
  'Abbott|Ahmed|Archer|Barker|Bennett|Bright|Carter|Chandra|Clarke|Cole|Dawson|Doyle|Ellis|Evans|Farrow|Fletcher|Gill|Grant|Hale|Hargreaves|Hussain|Ingram|Jarvis|Jones|Kaur|Kendall|Khan|Lowe|Macleod|Marsh|Morgan|Nash|Novak|Okafor|Osei|Parker|Patel|Pryce|Quinn|Reid|Rossi|Rowe|Sharma|Sinclair|Stone|Tanner|Thorne|Underwood|Vance|Walsh|Weaver|Wren|Yates'.split(
    '|',
  );

export const STREETS =
  'High Street|Mill Lane|Station Road|Church Street|Market Place|Victoria Road|Albert Street|King Street|Queen Street|Bridge Street|Park Road|London Road|Castle Street|North Street|South Parade|Chapel Lane|Green Lane|New Street|Water Lane|Union Street|Canal Road|Broad Street|Grove Terrace|York Place|Westgate|Kirkgate|The Arcade|The Parade|Orchard Way|Foundry Yard'.split(
    '|',
  );

export const NAME_PREFIXES =
  'Blue Door|Golden|Little|Old Town|Corner|Riverside|Hilltop|Copper|Silver Birch|Red Lantern|Oak & Ivy|Bright Side|Northern|Harbour|Meadow|Crown|Beacon|Kingfisher|Fox & Finch|White Rose|Two Rivers|Lighthouse|Bluebell|Four Seasons'.split(
    '|',
  );

/** Types that every town has; a repeated one is more frequent. */
export const COMMON_TYPES =
  'Restaurant|Restaurant|Cafe|Cafe|Pub|Bakery|Hairdresser|Barber|Plumber|Electrician|Builder|Dentist|Estate agent|Solicitor|Accountant|Car repair garage|Indian restaurant|Italian restaurant|Pizza restaurant|Butcher|Florist|Gym|Beauty salon|Coffee shop|Hotel|Fish and chip shop|Convenience store|Pharmacy|Roofer|Painter and decorator|Chinese restaurant|Takeaway|Letting agent|Dry cleaner'.split(
    '|',
  );

/** Likely first searches: big cities have more than a page of each. */
export const POPULAR_TYPES = ['Bakery', 'Restaurant', 'Cafe', 'Pub', 'Hairdresser', 'Plumber'];

export const BIG_CITIES =
  'Belfast|Birmingham|Bradford|Brighton|Bristol|Cardiff|Edinburgh|Glasgow|Leeds|Leicester|Liverpool|Manchester|Newcastle upon Tyne|Nottingham|Sheffield|Southampton'.split(
    '|',
  );

/** Prefixes of drama numbers; three digits follow. */
export const DRAMA_NUMBERS: Record<string, string> = {
  Leeds: '0113 496 0',
  Sheffield: '0114 496 0',
  Nottingham: '0115 496 0',
  Leicester: '0116 496 0',
  Bristol: '0117 496 0',
  Reading: '0118 496 0',
  Birmingham: '0121 496 0',
  Edinburgh: '0131 496 0',
  Glasgow: '0141 496 0',
  Liverpool: '0151 496 0',
  Manchester: '0161 496 0',
  'Newcastle upon Tyne': '0191 498 0',
  London: '020 7946 0',
  Cardiff: '029 2018 0',
};
export const DRAMA_ELSEWHERE = '01632 960';
