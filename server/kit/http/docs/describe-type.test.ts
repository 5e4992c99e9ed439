import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeType } from './describe-type.ts';

const describe = (schema: z.ZodType) => describeType(z.toJSONSchema(schema, { io: 'input' }) as never);

test.each<[string, z.ZodType, string]>([
  ['a text', z.string(), 'string'],
  ['a moment', z.iso.datetime(), 'string (date-time)'],
  ['choices', z.enum(['new', 'won']), '"new" | "won"'],
  ['what may be null', z.string().nullable(), 'string | null'],
  ['a list', z.array(z.number()), 'number[]'],
  ['a list of choices', z.array(z.enum(['a', 'b'])), '("a" | "b")[]'],
  ['a list of what may be null', z.array(z.string().nullable()), '(string | null)[]'],
  ['anything', z.unknown(), 'any'],
  ['nothing', z.object({}), '{}'],
  [
    'an object',
    z.object({ id: z.number(), note: z.string().optional(), page: z.number().default(1) }),
    '{\n  id: number\n  note?: string\n  page?: number = 1\n}',
  ],
  ['objects in a list', z.array(z.object({ a: z.object({ b: z.boolean() }) })), '{\n  a: {\n    b: boolean\n  }\n}[]'],
  ['what is named freely', z.record(z.string(), z.number()), '{\n  [name]: number\n}'],
])('%s', (_, schema, text) => {
  expect(describe(schema)).toBe(text);
});
