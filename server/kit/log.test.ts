import { expect, test } from 'vitest';
import { createLog, describeError } from './log.ts';

const databaseError = Object.assign(new Error('duplicate key: Key (email)=(ada@example.test) already exists'), {
  severity: 'ERROR',
  code: '23505',
  constraint: 'users_email_key',
  detail: 'Key (email)=(ada@example.test) already exists.',
});
const queryError = Object.assign(
  new Error('Failed query: insert … params: ada@example.test', { cause: databaseError }),
  {
    query: 'insert into users (email) values ($1)',
    params: ['ada@example.test'],
  },
);

test('a database error is logged without the values of its query', () => {
  const described = describeError(queryError);
  expect(described).toMatchObject({
    message: 'Failed query: insert into users (email) values ($1)',
    cause: { code: '23505', constraint: 'users_email_key', message: 'Database error' },
  });
  expect(JSON.stringify(described)).not.toContain('ada@example.test');
});

test('other errors keep their message and stack', () => {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).error({ err: new TypeError('x is undefined') }, 'oops');
  const line = JSON.parse(lines[0] ?? '');
  expect(line).toMatchObject({ level: 'error', msg: 'oops', err: { name: 'TypeError', message: 'x is undefined' } });
  expect(line.err.stack).toMatch(/^ *at /);
  expect(line.time).toMatch(/Z$/);
});
