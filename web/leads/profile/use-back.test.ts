import { expect, test } from 'vitest';
import { nameOrigin } from './use-back.ts';

test.each([
  ['/today', 'Today'],
  ['/crm?town=York', 'CRM'],
  ['/crm?view=board&town=York', 'Board'],
  ['/duplicates?page=2', 'Duplicates'],
  ['/sweeps/1', 'Sweeps'],
  // The list is also on the home screen, and the way back to the list is /crm.
  ['/', undefined],
  ['', undefined],
])('a lead opened on "%s" goes back to %s', (path, name) => {
  expect(nameOrigin(path)).toBe(name);
});
