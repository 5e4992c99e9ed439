import { expect, test } from 'vitest';
import { buildPins } from './pins.ts';

const ofTypes = (...types: (string | null)[]) => types.map((type) => ({ status: 'new' as const, type }));
const describe = ({ legend }: ReturnType<typeof buildPins>) => legend.map(({ letter, label }) => `${letter} ${label}`);

test('by status, the legend has the statuses on the map, in the order of the pipeline', () => {
  const points = (['closed_won', 'new', 'new', 'qualified'] as const).map((status) => ({ status, type: null }));
  const pins = buildPins(points, 'status');
  expect(describe(pins)).toEqual(['N New', 'Q Qualified', 'W Closed (Won)']);
  expect(pins.toPin({ status: 'closed_won', type: 'Bakery' }).letter).toBe('W');
});

test('by type, the most frequent ones come first, each with a letter of its own', () => {
  const pins = buildPins(ofTypes('Barber', 'Bakery', 'Bakery', 'Bar', null, 'Bar', 'Bar'), 'type');
  expect(describe(pins)).toEqual(['B Bar', 'A Bakery', 'R Barber', '? Type not known']);
  expect(pins.toPin({ status: 'new', type: 'Bakery' })).toMatchObject({ letter: 'A', label: 'Bakery' });
  expect(pins.toPin({ status: 'new', type: null }).letter).toBe('?');
});

test('by type, ten have a pin, and the rest share one', () => {
  const types = Array.from({ length: 12 }, (_, nth) => `B${'b'.repeat(nth)}`);
  const pins = buildPins(ofTypes(...types), 'type');
  expect(pins.legend.map(({ label }) => label)).toEqual([...types.slice(0, 10), 'Other types']);
  const letters = pins.legend.map(({ letter }) => letter);
  expect(new Set(letters).size).toBe(letters.length);
  expect(letters).not.toContain('');
  expect(pins.toPin({ status: 'new', type: types[11] ?? '' }).label).toBe('Other types');
});
