import fc, { type Arbitrary } from 'fast-check';
import type { z } from 'zod';

// The parts of a zod schema that are read here; zod's own types do not tell what a schema consists of.
interface Def {
  type: string;
  checks?: { _zod: { def: Check } }[];
  format?: string;
  pattern?: RegExp;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, string>;
  values?: unknown[];
}
interface Check {
  check?: string;
  format?: string;
  pattern?: RegExp;
  minimum?: number;
  maximum?: number;
  value?: number;
}

/** Left out of an object. JSON has no undefined. */
const LEFT_OUT = Symbol('left out');

/** How long a text may get that has no limit of its own. */
const LONGEST = 10_000;

/** One value in this many is not of its schema at all. */
const HOSTILE_IN = 14;

const STRANGE: unknown[] = [
  ...[
    null,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udc00x',
    '\u202e',
    '\ufeff',
    '💥'.repeat(600),
    'a'.repeat(3_000),
  ],
  ...['__proto__', 'constructor', "'; drop table users; --", '%_\\', '../../etc/passwd', '<script>', '=1+1', '{{7*7}}'],
  ...[-1, 0, 1.5, 1e308, -1e308, 5e-324, 2_147_483_648, -2_147_483_649, Number.MAX_SAFE_INTEGER + 2],
  ...['1', '0x10', '1e3', 'Infinity', 'NaN', true, false, [], {}, [[]], [null], { toString: 1 }, { length: 1e9 }],
  ...['9999-99-99', '٣', 'İ', 'ß', 'Ǆ', '\r\n', '\t', '\u007f', '\u0085', '\u2028'],
];

export const hostile: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STRANGE) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** Values for a schema: mostly as it wants them, at its edges too, and here and there something else. */
export function valuesOf(schema: z.ZodType): Arbitrary<unknown> {
  return fc.oneof({ weight: HOSTILE_IN - 1, arbitrary: wellFormed(schema) }, { weight: 1, arbitrary: hostile });
}

function wellFormed(schema: z.ZodType): Arbitrary<unknown> {
  const def = schema._zod.def as unknown as Def;
  switch (def.type) {
    case 'string':
      return strings(def);
    case 'number':
      return numbers(def);
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'object':
      return objects(def.shape ?? {});
    case 'array':
      return fc.array(valuesOf(inner(def.element)), { maxLength: 6 });
    case 'union':
      return fc.oneof(...(def.options ?? []).map(wellFormed));
    case 'optional':
    case 'default':
      return fc.option(wellFormed(inner(def.innerType)), { nil: LEFT_OUT });
    case 'nullable':
      return fc.option(wellFormed(inner(def.innerType)), { nil: null });
    case 'pipe':
      return pipes(def);
    case 'unknown':
      return hostile;
    default:
      throw new Error(`values for the schema type ${def.type} are not made yet`);
  }
}

/** What a transform takes is what stands before it; of two schemas in a row the second says more. */
function pipes({ in: first, out: second }: Def) {
  const transforms = (schema: z.ZodType) => (schema._zod.def as unknown as Def).type === 'transform';
  return wellFormed(transforms(inner(second)) ? inner(first) : inner(second));
}

function objects(shape: Record<string, z.ZodType>): Arbitrary<object> {
  const fields = Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, valuesOf(schema)]));
  const extra = fc.constantFrom('id', 'userId', 'role', 'createdBy', '__proto__', 'constructor', 'x', '');
  const more = fc.option(fc.tuple(extra, hostile), { freq: HOSTILE_IN, nil: undefined });
  return fc.tuple(fc.record(fields), more).map(([known, added]) => {
    const pairs = Object.entries(known).filter(([, value]) => value !== LEFT_OUT);
    // By entries, so that a field called __proto__ is a field.
    return Object.fromEntries(added ? [...pairs, added] : pairs);
  });
}

function strings(def: Def): Arbitrary<unknown> {
  const checks = checksOf(def);
  const least = Math.max(0, ...checks.map(({ minimum }) => minimum ?? 0));
  const most = Math.max(least, Math.min(LONGEST, ...checks.map(({ maximum }) => maximum ?? LONGEST)));
  const texts = fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.min(most, least + 40) });
  const edge = fc.constantFrom(most, most + 1, Math.max(0, least - 1)).map((length) => 'x'.repeat(length));
  const patterned = checks.flatMap(({ pattern }) => (pattern ? fromPattern(pattern) : []));
  const shaped = checks.some(({ format }) => format === 'email') ? [fc.emailAddress()] : patterned;
  if (shaped.length) return fc.oneof({ weight: 6, arbitrary: fc.oneof(...shaped) }, { weight: 1, arbitrary: texts });
  return fc.oneof({ weight: 8, arbitrary: texts }, { weight: 1, arbitrary: edge });
}

function fromPattern(pattern: RegExp): Arbitrary<string>[] {
  try {
    return [fc.stringMatching(new RegExp(pattern.source, pattern.flags.replace('i', '')))];
  } catch {
    return []; // a pattern that fast-check does not read
  }
}

function numbers(def: Def): Arbitrary<number> {
  const checks = checksOf(def);
  const least = Math.max(...checks.map((each) => (each.check === 'greater_than' ? (each.value ?? 0) : -1e6)), -1e6);
  const most = Math.min(...checks.map((each) => (each.check === 'less_than' ? (each.value ?? 0) : 1e6)), 2 ** 31 - 1);
  const whole = checks.some(({ check }) => check === 'number_format');
  const inside = whole
    ? fc.integer({ min: least, max: Math.max(least, most) })
    : fc.double({ min: least, max: Math.max(least, most), noNaN: true });
  return fc.oneof({ weight: 6, arbitrary: inside }, { weight: 1, arbitrary: fc.constantFrom(least, most, most + 1) });
}

const checksOf = (def: Def): Check[] => [
  ...(def.format ? [def as Check] : []),
  ...(def.checks ?? []).map(({ _zod }) => _zod.def),
];

function inner(schema: z.ZodType | undefined): z.ZodType {
  if (!schema) throw new Error('a schema without its inner part');
  return schema;
}
