import { buildPath } from '#contract/call.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import type { Database } from '#server/kit/db/open.ts';
import { atOnce, callAll } from './callers.ts';
import { cpuSeconds, timed } from './cpu-time.ts';
import { median } from './figures.ts';
import type { Generated } from './generate-leads.ts';
import type { People } from './list-calls.ts';
import type { Product } from './product.ts';
import { type Recorded, record, replay } from './recorded.ts';

export const CALLERS = 50;
const REQUESTS = 400;
const ONE_CALLER_REQUESTS = 100;
/** Short turns one after the other, so that other load on the machine falls on both sides. */
const TURNS = 10;
const WARM_UP = 3;

export interface Compared {
  /** Requests a second over HTTP and with the bare driver, medians of the turns. */
  http: number;
  bare: number;
  /** Milliseconds of the server's processor time for one request. */
  cpu: number;
}

export interface HttpFigures {
  /** The first page of an admin, beside the same statements. */
  firstPage: Compared;
  /** One holder's list of one status, beside the plain SQL with its exact count, by 50 callers and by one. */
  holderStatus: Compared;
  holderStatusByOne: Compared;
}

export async function timeHttp(
  product: Product,
  beside: Database,
  made: Generated,
  people: People,
): Promise<HttpFigures> {
  const firstPage = { path: listLeads.path, cookie: people.admin.cookie };
  const holderStatus = { path: buildPath(listLeads, { query: { status: 'new' } }), cookie: people.busy.cookie };
  const [sameStatements = []] = await record(beside, [{ method: 'GET', ...firstPage }]);
  const plain = plainStatements(made.busyUserId, people.busy.cookie);
  return {
    firstPage: await compare(product, beside, firstPage, sameStatements, CALLERS),
    holderStatus: await compare(product, beside, holderStatus, plain, CALLERS),
    holderStatusByOne: await compare(product, beside, holderStatus, plain, 1),
  };
}

interface RequestContext {
  path: string;
  cookie: string;
}

async function compare(
  product: Product,
  beside: Database,
  asked: RequestContext,
  statements: Recorded,
  callers: number,
) {
  const count = callers === 1 ? ONE_CALLER_REQUESTS : REQUESTS;
  const requests = Array.from({ length: count }, () => ({ method: 'GET', ...asked }));
  const replays = requests.map(() => statements);
  const [http, bare]: [number[], number[]] = [[], []];
  let cpu = 0;
  for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
    const replayed = await timed(
      () => 0,
      () => atOnce(callers, replays, (each) => replay(beside.pool, each)),
    );
    const called = await timed(
      () => cpuSeconds([product.processId]),
      () => callAll(product.url, callers, requests),
    );
    if (turn < 0) continue;
    bare.push(count / replayed.seconds);
    http.push(count / called.seconds);
    cpu += (called.cpu * 1000) / count / TURNS;
  }
  return { http: median(http), bare: median(bare), cpu };
}

/** What a page costs without the product: the session, the exact count and the page, by hand. */
function plainStatements(userId: number, cookie: string): Recorded {
  const open = `l.user_id = $1 and l.status = $2 and not l.archived and not l.existing_customer
    and l.status not in ('closed_won', 'closed_lost')`;
  return [
    {
      query: `select u.id, u.role from sessions s join users u on u.id = s.user_id where s.id = $1 and s.expires_at > now()`,
      values: [cookie],
    },
    { query: `select count(*) from user_businesses l where ${open}`, values: [userId, 'new'] },
    {
      query: `select l.*, b.*, u.username, u.full_name from user_businesses l join businesses b on b.id = l.business_id
        join users u on u.id = l.user_id where ${open} order by l.assigned_at desc, l.id desc limit 10`,
      values: [userId, 'new'],
    },
  ];
}
