import { expect, test } from 'vitest';
import { chooseNeglected } from './neglected.ts';

const member = (fullName: string, overdue: number, quiet: number, idle = false, uncontacted = 0) => ({
  user: { id: fullName.length, fullName, username: fullName },
  open: 10,
  overdue,
  longOverdue: 0,
  uncontacted,
  quiet,
  idle,
});

test.each([
  ['nothing to do', [member('Ada', 0, 0)], []],
  ['overdue before quiet', [member('Ada', 0, 9), member('Bob', 1, 0)], ['Bob', 'Ada']],
  ['most overdue first', [member('Ada', 1, 5), member('Bob', 2, 0)], ['Bob', 'Ada']],
  ['then most quiet', [member('Ada', 2, 0), member('Bob', 2, 3)], ['Bob', 'Ada']],
  ['then most never contacted', [member('Ada', 2, 3), member('Bob', 2, 0, false, 1)], ['Bob', 'Ada']],
  ['never contacted', [member('Ada', 0, 0), member('Bob', 0, 0, false, 1)], ['Bob']],
  ['then by name', [member('Cleo', 1, 1), member('Ada', 1, 1)], ['Ada', 'Cleo']],
  ['idle ones last', [member('Ada', 0, 0, true), member('Bob', 1, 0, true)], ['Bob', 'Ada']],
  [
    'idle ones after five others',
    ['Fay', 'Eve', 'Dan', 'Cleo', 'Bob'].map((name) => member(name, 1, 0)).concat(member('Ada', 0, 0, true)),
    ['Bob', 'Cleo', 'Dan', 'Eve', 'Fay', 'Ada'],
  ],
  [
    'at most five',
    ['Fay', 'Eve', 'Dan', 'Cleo', 'Bob', 'Ada'].map((name, nth) => member(name, nth + 1, 0)),
    ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'],
  ],
])('%s', (_, team, names) => {
  expect(chooseNeglected(team).map(({ user }) => user.fullName)).toEqual(names);
});
