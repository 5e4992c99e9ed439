type Json = Record<string, unknown>;

/** A schema of JSON as people read it: "{ id: integer, tags: string[], note?: string }", with a line for each field. */
export function describeType(schema: Json, indent = ''): string {
  const { anyOf, oneOf, allOf, enum: choices, type, items } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(choices)) return join(choices.map((choice) => JSON.stringify(choice)));
  const variants = anyOf ?? oneOf ?? allOf;
  if (Array.isArray(variants)) return join(variants.map((variant) => describeType(variant, indent)));
  if (Array.isArray(type)) return join(type.map((each) => describeType({ ...schema, type: each }, indent)));
  if (type === 'array') {
    const item = describeType((items ?? {}) as Json, indent);
    return isUnion((items ?? {}) as Json) ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object') return describeObject(schema, indent);
  if (typeof type !== 'string') return 'any';
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : type;
}

const join = (variants: string[]) => [...new Set(variants)].join(' | ');

const isUnion = ({ anyOf, oneOf, enum: choices, type }: Json) =>
  [anyOf, oneOf, choices, type].some((list) => Array.isArray(list) && list.length > 1);

function describeObject({ properties = {}, required = [], additionalProperties }: Json, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties as Record<string, Json>).map(
    ([name, value]) =>
      `${name}${(required as string[]).includes(name) ? '' : '?'}: ${describeType(value, inner)}${describeDefault(value)}`,
  );
  if (typeof additionalProperties === 'object') {
    fields.push(`[name]: ${describeType(additionalProperties as Json, inner)}`);
  }
  return fields.length ? `{\n${fields.map((field) => `${inner}${field}\n`).join('')}${indent}}` : '{}';
}

/** What counts where nothing is sent. */
export const describeDefault = (schema: Json) =>
  schema.default === undefined || schema.default === '' ? '' : ` = ${JSON.stringify(schema.default)}`;
