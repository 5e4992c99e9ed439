// Lists, changes and exports leads, with types from the description of the calls:
//   npx openapi-typescript "$HIGHSTREET_URL/api/openapi.json" -o highstreet-api.d.ts
//   npx tsx typed-client.ts
import type { paths } from './highstreet-api.d.ts';

const { HIGHSTREET_URL: url = '', HIGHSTREET_TOKEN: token = '' } = process.env;

type Operation<P extends keyof paths, M extends keyof paths[P]> = NonNullable<paths[P][M]>;
type Query<O> = O extends { parameters: { query?: infer Q } } ? Q : never;
type Json<O> = O extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never;
type Sent<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : never;

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(new URL(path, url), { ...init, headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

type ListLeads = Operation<'/api/leads', 'get'>;
const list = async (query: Query<ListLeads>): Promise<Json<ListLeads>> =>
  (await send(`/api/leads?${new URLSearchParams(query as Record<string, string>)}`)).json() as Promise<Json<ListLeads>>;

type ChangeStatus = Operation<'/api/business-status/{id}', 'patch'>;
const changeStatus = async (id: number, version: string, body: Sent<ChangeStatus>) => {
  const init = { method: 'PATCH', headers: { 'if-match': `"${version}"` }, body: JSON.stringify(body) };
  return (await send(`/api/business-status/${id}`, init)).json() as Promise<Json<ChangeStatus>>;
};

const page = await list({ after: '0', pageSize: '100' });
for (const { userBusiness, business } of page.items) {
  if (userBusiness.status !== 'new') continue;
  const changed = await changeStatus(userBusiness.id, userBusiness.updatedAt, { status: 'qualified' });
  console.log(`${business.name}: ${changed.status}`);
}
console.log(await (await send('/api/leads/export?status=qualified')).text());
