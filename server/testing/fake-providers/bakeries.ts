/** The businesses that every fake knows: seventy invented bakeries in Leeds, the first nearest to its middle. */
export const LEEDS = { latitude: 53.7965, longitude: -1.5478 };

export const BAKERIES = Array.from({ length: 70 }, (_, index) => ({
  number: index + 1,
  name: `${index % 7 === 0 ? 'Mill Lane' : 'Corner'} Bakery ${index + 1}`,
  street: `${index + 1} Mill Lane`,
  town: 'Leeds',
  postcode: 'LS1 2AB',
  latitude: LEEDS.latitude + index * 0.0003,
  longitude: LEEDS.longitude,
  phone: `0113 496 0${String(index).padStart(3, '0')}`,
  website: `https://bakery-${index + 1}.example/`,
  rating: 3 + (index % 20) / 10,
  reviews: 10 + index,
  price: (index % 4) + 1,
  open: index % 2 === 0,
}));
export type Bakery = (typeof BAKERIES)[number];

/** Those that fit the words, as a search engine would have it: every word is in the name. */
export const findBakeries = (text: string) =>
  BAKERIES.filter(({ name }) =>
    text
      .toLowerCase()
      .replace(/ in .*$/, '')
      .split(/\s+/)
      .every((word) => name.toLowerCase().includes(word)),
  );
