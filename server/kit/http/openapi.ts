import { z } from 'zod';
import type { AnyCall } from '#contract/call.ts';
import { rightsFor } from '#contract/tokens/program-policy.ts';

type Json = Record<string, unknown>;

export interface ApiDocument extends Json {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Json>>;
}

const REFUSED = { description: 'Refused', content: json({ $ref: '#/components/schemas/Refusal' }) };

/** The contract as an OpenAPI 3.1 document. */
export function describeApi(features: Record<string, AnyCall[]>, version: string): ApiDocument {
  const paths: ApiDocument['paths'] = {};
  for (const [feature, calls] of Object.entries(features)) {
    for (const call of calls) {
      const path = call.path.replace(/:(\w+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: describeCall(feature, call) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Highstreet', version, description: 'Every call that the web app makes.' },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'hs_session' },
        token: { type: 'http', scheme: 'bearer', description: 'A token for a program, which begins with hs_.' },
      },
      schemas: { Refusal: refusal },
    },
  };
}

function describeCall(feature: string, call: AnyCall): Json {
  const parameters = [...describeParameters('path', call.params), ...describeParameters('query', call.query)];
  const body = toJsonSchema(call.body, 'input');
  const takesBody = call.method !== 'GET' && Object.keys((body.properties as Json) ?? {}).length > 0;
  return {
    tags: [feature],
    summary: call.summary,
    'x-access': call.access,
    'x-programs': call.programs,
    ...(call.programs !== 'none' && { 'x-rights': rightsFor(call) }),
    ...(call.access !== 'anyone' && {
      security: [{ session: [] }, ...(call.programs === 'none' ? [] : [{ token: [] }])],
    }),
    ...(parameters.length && { parameters }),
    ...(takesBody && { requestBody: { required: true, content: call.urlEncoded ? urlEncoded(body) : json(body) } }),
    ...(call.upload && { requestBody: { required: true, content: form(call.upload) } }),
    responses: {
      [call.success]: {
        description: 'Done',
        ...(call.success !== 204 && { content: describeContent(toJsonSchema(call.response, 'output')) }),
      },
      default: REFUSED,
    },
  };
}

function describeParameters(place: 'path' | 'query', schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }));
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
}

/** A response that is not JSON is a CSV file. */
const describeContent = (schema: Json) => (schema.type === 'string' ? { 'text/csv': { schema } } : json(schema));

function json(schema: Json) {
  return { 'application/json': { schema } };
}

function urlEncoded(schema: Json) {
  return { 'application/x-www-form-urlencoded': { schema } };
}

function form(field: string) {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return { 'multipart/form-data': { schema: { type: 'object', required: [field], properties: { [field]: file } } } };
}

const refusal = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'For people' },
    code: { type: 'string', description: 'For programs' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    requestId: { type: 'string', description: 'With a 5xx: the id of the request in the log' },
  },
};
