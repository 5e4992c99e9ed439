import { expect, test } from 'vitest';
import { AnswerReader, type ClientFrame, FrameReader, queryFrame, statementIn } from './wire.ts';

const frame = (type: string, body: string) => {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(body));
  bytes.write(type, 0);
  bytes.writeInt32BE(bytes.length - 1, 1);
  bytes.write(body, 5);
  return bytes;
};
const startup = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const conversation = Buffer.concat([sslRequest, startup, queryFrame('SELECT 1'), frame('S', '')]);

test.each([1, 3, 7, 1000])('frames are the same when they arrive in pieces of %i bytes', (size) => {
  const reader = new FrameReader();
  const frames: ClientFrame[] = [];
  for (let at = 0; at < conversation.length; at += size)
    frames.push(...reader.read(conversation.subarray(at, at + size)));

  expect(frames.map(({ type }) => type)).toEqual(['encryption', 'startup', 'Q', 'S']);
});

test.each([
  { type: 'Q', bytes: queryFrame('SELECT 1'), statement: 'SELECT 1' },
  { type: 'P', bytes: frame('P', 'name\0SELECT $1\0\0\0'), statement: 'SELECT $1' },
  { type: 'P', bytes: frame('P', '\0SELECT 2\0\0\0'), statement: 'SELECT 2' },
  { type: 'B', bytes: frame('B', '\0\0'), statement: undefined },
])('a $type frame holds the statement $statement', ({ type, bytes, statement }) => {
  expect(statementIn({ type, bytes })).toBe(statement);
});

test.each([1, 2, 5, 11, 1000])('answers are understood when they arrive in pieces of %i bytes', (size) => {
  const answers = Buffer.concat([
    frame('D', 'a row of which nothing is kept'.repeat(20)),
    frame('E', 'SERROR\0VERROR\0C53100\0Mno space\0\0'),
    frame('D', 'another'),
    frame('Z', 'T'),
  ]);
  const reader = new AnswerReader();
  const errors: object[] = [];
  for (let at = 0; at < answers.length; at += size) {
    reader.read(answers.subarray(at, at + size), { error: (error) => errors.push(error) });
  }

  expect(errors).toEqual([{ severity: 'ERROR', code: '53100', message: 'no space' }]);
  expect(reader.status).toBe('T');
});
