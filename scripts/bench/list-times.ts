import { buildPath } from '#contract/call.ts';
import { listLeadStatuses, listLeads, listLeadTags, listLeadTowns } from '#contract/leads/lead-lists.calls.ts';
import { milliseconds, openConnection } from '../measure/callers.ts';
import type { Generated } from '../measure/generate-leads.ts';
import type { User } from '../measure/users.ts';
import { listCombinations } from './list-combinations.ts';

const ROUNDS = 3;

export interface ListUsers {
  admin: User;
  busy: User;
  quiet: User;
}

/** Milliseconds, the minimum of a few rounds. */
export interface ListTimes {
  lists: { name: string; ms: number }[];
  defaultList: number;
  slowestChoices: number;
  /** Two letters that no name has: every name is compared. */
  shortName: number;
}

/** Every combination over HTTP, one after the other. */
export async function timeLists(url: string, generated: Generated, users: ListUsers): Promise<ListTimes> {
  const connection = openConnection(url);
  const time = async (path: string, { cookie }: User) => {
    let minimum = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round += 1) {
      minimum = Math.min(minimum, await milliseconds(() => connection.send({ method: 'GET', path, cookie })));
    }
    return minimum;
  };
  try {
    const lists: ListTimes['lists'] = [];
    for (const { name, viewer, query } of listCombinations(generated)) {
      lists.push({ name, ms: await time(buildPath(listLeads, { query }), users[viewer]) });
    }
    const choices: number[] = [];
    for (const { path } of [listLeadTowns, listLeadTags, listLeadStatuses]) choices.push(await time(path, users.admin));
    return {
      lists,
      defaultList: await time(listLeads.path, users.admin),
      slowestChoices: Math.max(...choices),
      shortName: await time(buildPath(listLeads, { query: { q: 'zz' } }), users.admin),
    };
  } finally {
    connection.close();
  }
}
