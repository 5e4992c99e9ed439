import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { type HttpRequest, toRequest } from '../measure/callers.ts';
import type { BenchDatabase } from '../measure/database.ts';
import type { Product } from '../measure/product.ts';
import type { User } from '../measure/users.ts';
import { compareWithDriver } from './compare.ts';
import type { ListUsers } from './list-times.ts';
import { recordStatements, type Statements } from './statements.ts';

export const CALLERS = 50;
const TURNS = 10;

export type Throughput = Awaited<ReturnType<typeof measureThroughput>>;

/** The first page of an admin compared with its own statements, and a holder's list of one status with plain SQL. */
export async function measureThroughput(product: Product, database: BenchDatabase, { admin, busy }: ListUsers) {
  const firstPage = toRequest(admin, listLeads);
  const holderStatus = toRequest(busy, listLeads, { query: { status: 'new' } });
  const compare = (request: HttpRequest, statements: Statements[], callers: number, count: number) => {
    const requests = Array.from({ length: count }, () => request);
    return compareWithDriver({ product, database, requests, statements, callers, turns: TURNS });
  };
  const plain = [plainStatements(busy)];
  return {
    firstPage: await compare(firstPage, await recordStatements(database.database, [firstPage]), CALLERS, 400),
    holder: await compare(holderStatus, plain, CALLERS, 400),
    holderByOne: await compare(holderStatus, plain, 1, 100),
  };
}

/** A page without the product: the session, the exact count and the page. */
function plainStatements({ id, cookie }: User): Statements {
  const open = `l.user_id = $1 and l.status = $2 and not l.archived and not l.existing_customer
    and l.status not in ('closed_won', 'closed_lost')`;
  return [
    {
      query: `select u.id, u.role from sessions s join users u on u.id = s.user_id where s.id = $1 and s.expires_at > now()`,
      values: [cookie],
    },
    { query: `select count(*) from user_businesses l where ${open}`, values: [id, 'new'] },
    {
      query: `select l.*, b.*, u.username, u.full_name from user_businesses l join businesses b on b.id = l.business_id
        join users u on u.id = l.user_id where ${open} order by l.assigned_at desc, l.id desc limit 10`,
      values: [id, 'new'],
    },
  ];
}
