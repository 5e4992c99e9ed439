import { expect, test } from 'vitest';
import { describeMailError } from './describe-mail-error.ts';

const fail = (fields: object) => Object.assign(new Error('550 <zoe@example.test> is not known here'), fields);

test.each([
  [{ code: 'EAUTH', responseCode: 535 }, 'The mail server refused the user name or the password (535)'],
  [{ code: 'EENVELOPE', responseCode: 550 }, 'The mail server refused the sender or the recipient (550)'],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'The mail server could not be reached (ECONNREFUSED)'],
  [{ code: 'EACCES' }, 'The folder for messages cannot be written to'],
  [{ code: 'E_NEW' }, 'An unexpected error; the log has the details'],
  [{}, 'An unexpected error; the log has the details'],
])('%j is a sentence without the words of the mail server', (fields, sentence) => {
  expect(describeMailError(fail(fields))).toBe(sentence);
});
