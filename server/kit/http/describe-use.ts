import { type AnyCall, buildPath, takesBody } from '#contract/call.ts';
import { changesOneLead } from '#contract/leads/lead-call.ts';
import { rightsFor } from '#contract/tokens/program-policy.ts';
import { PROGRAM_RIGHTS_LABEL } from '#contract/users/program.ts';
import { exampleOf } from './api-example.ts';
import { PER_PROGRAM, PER_USER } from './request-limits.ts';

type Json = Record<string, unknown>;

const USERS: Record<AnyCall['access'], string> = {
  anyone: 'Anyone',
  user: 'Signed-in users',
  manager: 'Managers and administrators',
  admin: 'Administrators',
};

const PROGRAMS: Record<AnyCall['programs'], string> = {
  none: 'no programs',
  unlimited: 'programs that are limited to no leads',
  unfenced: 'programs that no saved view limits',
  all: 'all programs',
};

/** "Signed-in users, and programs that no saved view limits, with the right “Read and change”." */
export function describeRights(call: AnyCall): string {
  const users = USERS[call.access];
  if (call.programs === 'none') return `${users}; no programs.`;
  return `${users}, and ${PROGRAMS[call.programs]}, with the right “${PROGRAM_RIGHTS_LABEL[rightsFor(call)]}”.`;
}

const SPAN: Record<number, string> = { 60: 'minute', 3600: 'hour', 86400: 'day' };
const listLimits = (limits: (typeof PER_USER)[AnyCall['limit']]) =>
  limits
    .map(({ max, seconds }) => `${max.toLocaleString('en-GB')} a ${SPAN[seconds] ?? `${seconds} seconds`}`)
    .join(', ');

/** "A program 120 a minute, a user 600 a minute." Of all calls of the same kind together. */
export function describeLimits({ access, limit, programs }: AnyCall): string {
  if (access === 'anyone') return 'By IP address: 120 a minute.';
  const ofUser = `a user ${listLimits(PER_USER[limit])}`;
  const what = `Calls that count as “${limit}”: `;
  return `${what}${programs === 'none' ? ofUser : `a program ${listLimits(PER_PROGRAM[limit])}, ${ofUser}`}.`;
}

/** The statuses with which a call may be refused, besides those of a server in trouble. */
export function listErrors(call: AnyCall): number[] {
  const hasParams = call.path.includes(':');
  return [
    400,
    ...(call.access === 'anyone' ? [] : [401, 403]),
    ...(hasParams ? [404] : []),
    ...(call.method === 'GET' ? [] : [409]),
    ...(changesOneLead(call) ? [412] : []),
    ...(call.method !== 'GET' ? [413, 415] : []),
    429,
  ];
}

/** The body of the example, where the call has one. */
export const exampleBody = (call: AnyCall, body: Json) =>
  takesBody(call) && !call.urlEncoded ? (call.example ?? exampleOf(body)) : undefined;

function credentialOf({ access, programs }: AnyCall): string[] {
  if (programs !== 'none') return ['-H "Authorization: Bearer $HIGHSTREET_TOKEN"'];
  return access === 'anyone' ? [] : ['-b "hs_session=$SESSION"'];
}

/** A request with a token, as people try it. */
export function toCurl(call: AnyCall, { params, query }: { params: Json; query: Json }, body: unknown): string {
  const path = buildPath(call, { params: exampleOf(params) as never, query: exampleOf(query) as never });
  const parts = [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`}`,
    ...credentialOf(call),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
    ...(call.upload ? [`-F ${call.upload}=@file.csv`] : []),
    `"$HIGHSTREET_URL${path}"`,
  ];
  return parts.join(' ');
}
