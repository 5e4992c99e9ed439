import { buildPath } from '#contract/call.ts';
import { listLeadStatuses, listLeads, listLeadTags, listLeadTowns } from '#contract/leads/lead-lists.calls.ts';
import { createCaller } from './callers.ts';
import type { Generated } from './generate-leads.ts';
import { type Combination, listCombinations } from './list-combinations.ts';
import type { BenchPerson } from './people.ts';

const ROUNDS = 3;

export interface People {
  admin: BenchPerson;
  busy: BenchPerson;
  quiet: BenchPerson;
}

export interface TimedCall {
  name: string;
  /** Milliseconds, the least of a few rounds. */
  took: number;
}

export interface TimedLists {
  lists: TimedCall[];
  defaultList: TimedCall;
  choices: TimedCall[];
  /** Two letters that no name has: every name is compared. */
  shortName: TimedCall;
}

/** Every combination over HTTP, by one caller. */
export async function timeLists(url: string, made: Generated, people: People): Promise<TimedLists> {
  const caller = createCaller(url, 1);
  const time = async (name: string, path: string, { cookie }: BenchPerson): Promise<TimedCall> => {
    let took = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = performance.now();
      await caller.call({ method: 'GET', path, cookie });
      took = Math.min(took, performance.now() - started);
    }
    return { name, took };
  };
  try {
    const lists: TimedCall[] = [];
    for (const { name, query, ...combination } of listCombinations(made)) {
      lists.push(await time(name, buildPath(listLeads, { query }), callerOf(combination, people)));
    }
    const choices: TimedCall[] = [];
    for (const call of [listLeadTowns, listLeadTags, listLeadStatuses]) {
      choices.push(await time(call.path, call.path, people.admin));
    }
    return {
      lists,
      defaultList: await time('default list', listLeads.path, people.admin),
      choices,
      shortName: await time('name "zz"', buildPath(listLeads, { query: { q: 'zz' } }), people.admin),
    };
  } finally {
    caller.close();
  }
}

function callerOf({ viewer }: Pick<Combination, 'viewer'>, { admin, busy, quiet }: People): BenchPerson {
  if (viewer.role === 'admin') return admin;
  return viewer.id === quiet.id ? quiet : busy;
}
