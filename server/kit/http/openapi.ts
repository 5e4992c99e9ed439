import { z } from 'zod';
import type { AnyCall } from '#contract/call.ts';
import { MADE_AT_HEADER, MAX_DAYS_LATER } from '#contract/made-at.ts';
import { rightsFor } from '#contract/tokens/program-policy.ts';
import { describeLimits, describeRights, exampleBody, listErrors, toCurl } from './describe-use.ts';

type Json = Record<string, unknown>;

export interface ApiDocument extends Json {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  paths: Record<string, Record<string, Json>>;
}

const REFUSED = { description: 'Refused', content: json({ $ref: '#/components/schemas/Refusal' }) };

/** What each status says, for all calls. */
const REFUSALS: Record<number, string> = {
  400: 'The request is not valid; `errors` says where',
  401: 'Not signed in, or the token is wrong, expired or ended',
  403: 'Not allowed to this user, or to this token',
  404: 'It does not exist, or no longer',
  409: 'It conflicts with what is there, or an Idempotency-Key was used for another request',
  412: 'The lead has changed since it was read; `current` has it',
  413: 'The request is too large',
  415: 'The request is not of the form that the call takes',
  429: 'Too many requests; `Retry-After` says for how many seconds to wait',
};
const nameOf = (status: number) => `Refused${status}`;
const refusalOf = (status: number) => ({ $ref: `#/components/responses/${nameOf(status)}` });

const describeRefusals = () =>
  Object.fromEntries(
    Object.entries(REFUSALS).map(([status, description]) => [nameOf(Number(status)), { ...REFUSED, description }]),
  );

/** The contract as an OpenAPI 3.1 document. */
export function describeApi(features: Record<string, AnyCall[]>, version: string): ApiDocument {
  const paths: ApiDocument['paths'] = {};
  const names = new Map<string, string>();
  for (const [feature, calls] of Object.entries(features)) {
    for (const call of calls) {
      const shape = call.path.replace(/:\w+/g, '{}');
      // OpenAPI knows no second path of the same form: its parameters get the names of the first.
      const path = names.get(shape) ?? call.path;
      names.set(shape, path);
      const template = path.replace(/:(\w+)/g, '{$1}');
      paths[template] = { ...paths[template], [call.method.toLowerCase()]: describeCall(feature, call, path) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: 'Highstreet', version, description: 'Every call that the web app makes.' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: Object.keys(features).map((name) => ({ name, description: `Calls on ${name.toLowerCase()}.` })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'hs_session' },
        token: { type: 'http', scheme: 'bearer', description: 'A token for a program, which begins with hs_.' },
      },
      schemas: { Refusal: refusal },
      responses: describeRefusals(),
    },
  };
}

function describeCall(feature: string, call: AnyCall, path: string): Json {
  const [own, shown] = [call.path, path].map(listParameters);
  const inPath = describeParameters('path', call.params).map((parameter) => ({
    ...parameter,
    name: shown?.[own?.indexOf(String(parameter.name)) ?? -1] ?? parameter.name,
  }));
  const parameters = [
    ...inPath,
    ...describeParameters('query', call.query),
    ...(call.sentLater ? [MADE_AT_PARAMETER] : []),
  ];
  const body = toJsonSchema(call.body, 'input');
  const takesBody = call.method !== 'GET' && Object.keys((body.properties as Json) ?? {}).length > 0;
  const example = takesBody ? exampleBody(call, body) : undefined;
  const [rights, limits] = [describeRights(call), describeLimits(call)];
  return {
    tags: [feature],
    operationId: toOperationId(call),
    summary: call.summary,
    description: `${rights}\n\n${limits}`,
    'x-limit': call.limit,
    'x-codeSamples': [
      {
        lang: 'Shell',
        label: 'curl',
        source: toCurl(
          call,
          { params: toJsonSchema(call.params, 'input'), query: toJsonSchema(call.query, 'input') },
          example,
        ),
      },
    ],
    'x-access': call.access,
    'x-programs': call.programs,
    ...(call.programs !== 'none' && { 'x-rights': rightsFor(call) }),
    security: call.access === 'anyone' ? [] : [{ session: [] }, ...(call.programs === 'none' ? [] : [{ token: [] }])],
    ...(parameters.length && { parameters }),
    ...(takesBody && {
      requestBody: { required: true, content: call.urlEncoded ? urlEncoded(body) : json(body, example) },
    }),
    ...(call.upload && { requestBody: { required: true, content: form(call.upload) } }),
    responses: {
      [call.success]: {
        description: 'Done',
        ...(call.success !== 204 && { content: describeContent(toJsonSchema(call.response, 'output')) }),
      },
      ...Object.fromEntries(listErrors(call).map((status) => [status, refusalOf(status)])),
      default: REFUSED,
    },
  };
}

const MADE_AT_PARAMETER = {
  name: MADE_AT_HEADER,
  in: 'header',
  required: false,
  description: `When it was made, where it is sent later: at most ${MAX_DAYS_LATER} days ago. Now, where it is left out.`,
  schema: { type: 'string', format: 'date-time' },
};

const listParameters = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** "getLeads", "patchBusinessStatusById": the same for as long as the path is. */
function toOperationId({ method, path }: AnyCall): string {
  const words = path.replace('/api/', '').split(/[/-]/);
  const named = words.map((word) => {
    const text = word.replace(/^:/, 'By_').replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string = '') => next.toUpperCase());
    return text.charAt(0).toUpperCase() + text.slice(1);
  });
  return `${method.toLowerCase()}${named.join('')}`;
}

function describeParameters(place: 'path' | 'query', schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties as Record<string, Json>).map(([name, { description, example, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    schema,
  }));
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
}

/** A response that is not JSON is a CSV file. */
const describeContent = (schema: Json) => (schema.type === 'string' ? { 'text/csv': { schema } } : json(schema));

function json(schema: Json, example?: unknown) {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
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
