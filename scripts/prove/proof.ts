import { setTimeout as wait } from 'node:timers/promises';

/** Something that takes minutes to show: it starts what it needs, says what holds, and leaves nothing behind. */
export interface Proof {
  says: string;
  run(args: string[], checks: Checks): Promise<void>;
}

export type Checks = ReturnType<typeof createChecks>;

export function createChecks() {
  let [held, failed] = [0, 0];
  return {
    get held() {
      return held;
    },
    get failed() {
      return failed;
    },
    /** Says whether something holds; what was found is told with it. */
    holds(what: string, truth: boolean, found: unknown = '') {
      if (truth) held += 1;
      else failed += 1;
      const detail = found === '' ? '' : `  (${typeof found === 'string' ? found : JSON.stringify(found)})`;
      console.log(`${truth ? '✓' : '✗'} ${what}${detail}`);
    },
  };
}

/** Waits until it is so; false when it is not so in time. */
export async function becomes(so: () => boolean | Promise<boolean>, withinMs: number, everyMs = 50): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; ; await wait(everyMs)) {
    if (await so()) return true;
    if (Date.now() > deadline) return false;
  }
}

/** Undoes what was set up, the last first, whatever happens in between. */
export async function withCleanUp(work: (later: (undo: () => unknown) => void) => Promise<void>): Promise<void> {
  const undos: (() => unknown)[] = [];
  try {
    await work((undo) => undos.push(undo));
  } finally {
    for (const undo of undos.reverse()) {
      try {
        await undo();
      } catch (error) {
        console.error('not cleaned up:', error);
      }
    }
  }
}
