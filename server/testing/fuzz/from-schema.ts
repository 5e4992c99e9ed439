import fc, { type Arbitrary } from 'fast-check';
import type { z } from 'zod';

// The parts of a zod schema that are read here; zod's types do not expose them.
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
  valueType?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, string>;
  values?: unknown[];
  parts?: (string | z.ZodType)[];
}
interface Check {
  check?: string;
  format?: string;
  pattern?: RegExp;
  minimum?: number;
  maximum?: number;
  value?: number;
}

/** Marks an omitted property, because JSON has no undefined. */
const OMITTED = Symbol('omitted');

/** The length limit of texts without one in their schema. */
const MAX_LENGTH = 10_000;

/** One in this many values does not match its schema. */
const HOSTILE_RATIO = 14;

const UNUSUAL_VALUES: unknown[] = [
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
  { weight: 4, arbitrary: fc.constantFrom(...UNUSUAL_VALUES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** Values for a schema: mostly valid, some at its limits, a few invalid. */
export function arbitraryFor(schema: z.ZodType): Arbitrary<unknown> {
  return fc.oneof({ weight: HOSTILE_RATIO - 1, arbitrary: validFor(schema) }, { weight: 1, arbitrary: hostile });
}

function validFor(schema: z.ZodType): Arbitrary<unknown> {
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
      return fc.array(arbitraryFor(inner(def.element)), { maxLength: 6 });
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 30 }), arbitraryFor(inner(def.valueType)), { maxKeys: 6 });
    case 'union':
      return fc.oneof(...(def.options ?? []).map(validFor));
    case 'optional':
    case 'default':
      return fc.option(validFor(inner(def.innerType)), { nil: OMITTED });
    case 'nullable':
      return fc.option(validFor(inner(def.innerType)), { nil: null });
    case 'pipe':
      return pipes(def);
    case 'template_literal':
      return texts(def.parts ?? []);
    case 'unknown':
      return hostile;
    default:
      throw new Error(`no values for the schema type ${def.type} yet`);
  }
}

const texts = (parts: (string | z.ZodType)[]): Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : validFor(part))))
    .map((all) => all.join(''));

/** A transform takes what its input schema describes; of two piped schemas the second is stricter. */
function pipes({ in: first, out: second }: Def) {
  const transforms = (schema: z.ZodType) => (schema._zod.def as unknown as Def).type === 'transform';
  return validFor(transforms(inner(second)) ? inner(first) : inner(second));
}

function objects(shape: Record<string, z.ZodType>): Arbitrary<object> {
  const fields = Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, arbitraryFor(schema)]));
  const extra = fc.constantFrom('id', 'userId', 'role', 'createdBy', '__proto__', 'constructor', 'x', '');
  const more = fc.option(fc.tuple(extra, hostile), { freq: HOSTILE_RATIO, nil: undefined });
  return fc.tuple(fc.record(fields), more).map(([known, added]) => {
    const pairs = Object.entries(known).filter(([, value]) => value !== OMITTED);
    // fromEntries, so that __proto__ becomes an own property.
    return Object.fromEntries(added ? [...pairs, added] : pairs);
  });
}

function strings(def: Def): Arbitrary<unknown> {
  const checks = readChecks(def);
  const min = Math.max(0, ...checks.map(({ minimum }) => minimum ?? 0));
  const max = Math.max(min, Math.min(MAX_LENGTH, ...checks.map(({ maximum }) => maximum ?? MAX_LENGTH)));
  const texts = fc.string({ unit: 'grapheme', minLength: min, maxLength: Math.min(max, min + 40) });
  const limits = fc.constantFrom(max, max + 1, Math.max(0, min - 1)).map((length) => 'x'.repeat(length));
  const patterned = checks.flatMap(({ pattern }) => (pattern ? fromPattern(pattern) : []));
  const formatted = checks.some(({ format }) => format === 'email') ? [fc.emailAddress()] : patterned;
  if (formatted.length)
    return fc.oneof({ weight: 6, arbitrary: fc.oneof(...formatted) }, { weight: 1, arbitrary: texts });
  return fc.oneof({ weight: 8, arbitrary: texts }, { weight: 1, arbitrary: limits });
}

function fromPattern(pattern: RegExp): Arbitrary<string>[] {
  try {
    return [fc.stringMatching(new RegExp(pattern.source, pattern.flags.replace('i', '')))];
  } catch {
    return []; // fast-check does not support this pattern
  }
}

function numbers(def: Def): Arbitrary<number> {
  const checks = readChecks(def);
  const min = Math.max(...checks.map((each) => (each.check === 'greater_than' ? (each.value ?? 0) : -1e6)), -1e6);
  const max = Math.min(...checks.map((each) => (each.check === 'less_than' ? (each.value ?? 0) : 1e6)), 2 ** 31 - 1);
  const whole = checks.some(({ check }) => check === 'number_format');
  const inside = whole
    ? fc.integer({ min, max: Math.max(min, max) })
    : fc.double({ min, max: Math.max(min, max), noNaN: true });
  return fc.oneof({ weight: 6, arbitrary: inside }, { weight: 1, arbitrary: fc.constantFrom(min, max, max + 1) });
}

const readChecks = (def: Def): Check[] => [
  ...(def.format ? [def as Check] : []),
  ...(def.checks ?? []).map(({ _zod }) => _zod.def),
];

function inner(schema: z.ZodType | undefined): z.ZodType {
  if (!schema) throw new Error('a schema without its inner type');
  return schema;
}
