import type { AnyCall, Input } from '#contract/call.ts';
import {
  listLeadStatuses,
  listLeads,
  listLeadTags,
  listLeadTowns,
  listLeadTypes,
} from '#contract/leads/lead-lists.calls.ts';
import { milliseconds, openConnection, toRequest } from '../measure/callers.ts';
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
  const time = async <C extends AnyCall>(user: User, call: C, input: Input<C> = {}) => {
    const times: number[] = [];
    while (times.length < ROUNDS) times.push(await milliseconds(() => connection.send(toRequest(user, call, input))));
    return Math.min(...times);
  };
  try {
    const lists: ListTimes['lists'] = [];
    for (const { name, viewer, query } of listCombinations(generated)) {
      lists.push({ name, ms: await time(users[viewer], listLeads, { query }) });
    }
    const choices: number[] = [];
    for (const call of [listLeadTowns, listLeadTypes, listLeadTags, listLeadStatuses])
      choices.push(await time(users.admin, call));
    return {
      lists,
      defaultList: await time(users.admin, listLeads),
      slowestChoices: Math.max(...choices),
      shortName: await time(users.admin, listLeads, { query: { q: 'zz' } }),
    };
  } finally {
    connection.close();
  }
}
