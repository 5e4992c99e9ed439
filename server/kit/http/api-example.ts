type Json = Record<string, unknown>;

const BY_FORMAT: Record<string, string> = {
  uuid: '6f1d9f0e-5b0a-4c6e-9c55-0f6f3f6c2b1a',
  date: '2026-11-20',
  'date-time': '2026-11-20T10:00:00.000Z',
  email: 'rose@example.com',
};

/** Of texts with a form of their own. */
const BY_NAME: Record<string, string> = {
  ...{ phone: '0113 496 0001', districts: 'LS1', district: 'LS1', postcode: 'LS1 6HD', location: 'Leeds', q: 'bakery' },
  ...{ name: 'Rose & Thorn', fullName: 'Rose Thorn', username: 'rose', businessType: 'Bakery', tag: 'hot' },
  ...{
    url: 'https://example.com/hook',
    website: 'https://example.com',
    note: 'Asked for a quote',
    notes: 'Asked for a quote',
  },
};

/** A value that a schema of JSON allows, with what is required: for examples, that people replace. */
export function exampleOf(schema: Json, name = ''): unknown {
  const { examples, anyOf, oneOf, allOf, enum: choices, type, format, required } = schema;
  const first = (list: unknown) => (Array.isArray(list) ? list[0] : undefined);
  const given = schema.example ?? first(examples) ?? schema.const ?? first(choices);
  if (given !== undefined) return given;
  const variant = first(anyOf) ?? first(oneOf) ?? first(allOf);
  if (variant) return exampleOf(variant as Json, name);
  if (type === 'array') {
    const count = Number(schema.minItems ?? 1);
    return Array.from({ length: count }, (_, nth) => {
      const value = exampleOf((schema.items ?? {}) as Json, name);
      return typeof value === 'number' ? value + nth : value;
    });
  }
  if (type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
    const needed = properties.filter(([key]) => (required as string[] | undefined)?.includes(key));
    return Object.fromEntries(needed.map(([key, value]) => [key, exampleOf(value, key)]));
  }
  if (type === 'integer' || type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  if (type === 'boolean') return true;
  if (BY_NAME[name]) return BY_NAME[name];
  if (typeof format === 'string' && BY_FORMAT[format]) return BY_FORMAT[format];
  // Ids in paths and queries are texts of digits.
  return /Id$|^id$/.test(name) || /^\^\[1-9\]/.test(String(schema.pattern)) ? '1' : (schema.default ?? 'text');
}
