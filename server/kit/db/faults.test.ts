import { expect, test } from 'vitest';
import { classifyFault, withRetries } from './faults.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('from the driver'), { code, ...more });
const wrapped = (cause: Error) => new Error('Failed query: select 1', { cause });

test.each([
  {
    error: withCode('23505', { constraint: 'users_email_key' }),
    fault: { kind: 'unique', constraint: 'users_email_key' },
  },
  {
    error: withCode('23503', { constraint: 'leads_user_fk' }),
    fault: { kind: 'foreign_key', constraint: 'leads_user_fk' },
  },
  { error: withCode('53100'), fault: { kind: 'full' } },
  { error: withCode('40001'), fault: { kind: 'conflict' } },
  { error: withCode('40P01'), fault: { kind: 'conflict' } },
  { error: withCode('55P03'), fault: { kind: 'conflict' } },
  { error: withCode('57P01'), fault: { kind: 'unavailable' } },
  { error: withCode('57P03'), fault: { kind: 'unavailable' } },
  { error: withCode('3D000'), fault: { kind: 'unavailable' } },
  { error: withCode('55000'), fault: { kind: 'unavailable' } },
  { error: withCode('28P01'), fault: { kind: 'unavailable' } },
  { error: withCode('0A000', { severity: 'FATAL' }), fault: { kind: 'unavailable' } },
  { error: withCode('57014'), fault: { kind: 'timeout' } },
  { error: withCode('25P03', { severity: 'FATAL' }), fault: { kind: 'timeout' } },
  { error: new Error('Query read timeout'), fault: { kind: 'timeout' } },
  { error: withCode('08006'), fault: { kind: 'unavailable' } },
  { error: withCode('ECONNREFUSED'), fault: { kind: 'unavailable' } },
  { error: new AggregateError([withCode('ECONNREFUSED')]), fault: { kind: 'unavailable' } },
  { error: new Error('Connection terminated unexpectedly'), fault: { kind: 'unavailable' } },
  { error: new Error('timeout exceeded when trying to connect'), fault: { kind: 'unavailable' } },
  { error: withCode('22P02'), fault: { kind: 'other' } },
  { error: new Error('a bug of ours'), fault: { kind: 'other' } },
])('$error.message $error.code is $fault.kind, wrapped or not', ({ error, fault }) => {
  expect(classifyFault(error)).toEqual(fault);
  expect(classifyFault(wrapped(error))).toEqual(fault);
});

test('a value that is not an error is classified as other', () => {
  expect(classifyFault('text')).toEqual({ kind: 'other' });
});

test('a conflict is retried three times, then the last error is thrown', async () => {
  let tries = 0;
  const failing = withRetries(async () => {
    tries += 1;
    throw wrapped(withCode('40001', { attempt: tries }));
  });

  await expect(failing).rejects.toMatchObject({ cause: { attempt: 4 } });
});

test('a retry that succeeds returns its result and is counted', async () => {
  let [tries, retries] = [0, 0];
  const response = await withRetries(
    async () => {
      tries += 1;
      if (tries === 1) throw withCode('40P01');
      return 'done';
    },
    () => {
      retries += 1;
    },
  );

  expect([response, tries, retries]).toEqual(['done', 2, 1]);
});

test.each(['23505', '55P03', '57P01'])('%s is not retried', async (code) => {
  let tries = 0;
  await expect(
    withRetries(async () => {
      tries += 1;
      throw withCode(code);
    }),
  ).rejects.toThrow();

  expect(tries).toBe(1);
});
