import { eq } from 'drizzle-orm';
import { changeBatches, changes } from '#server/schema/changes.ts';
import type { TestApp } from '#server/testing/test-app.ts';

interface StatusChange {
  batch: string;
  at: string;
  from: string;
  to: string;
  /** Whether it was taken back, and not made again by undoing that. */
  isUndone: boolean;
}

/** The changes of status that are in effect, followed one by one as they happen. */
export class StatusTimes {
  readonly #ofLead = new Map<number, StatusChange[]>();
  /** Which batch an undo is of. */
  readonly #undoes = new Map<string, string>();

  /** What one batch of changes did. */
  async read({ db }: TestApp, batch: string) {
    const [written] = await db.select().from(changeBatches).where(eq(changeBatches.id, batch));
    if (!written) return;
    if (written.undoes) this.#undoes.set(batch, written.undoes);
    for (const { leadId, field, before, after } of await db.select().from(changes).where(eq(changes.batchId, batch))) {
      if (field !== 'status' || leadId === null) continue;
      const made = this.#ofLead.get(leadId) ?? [];
      this.#ofLead.set(leadId, made);
      if (!written.undoes) {
        made.push({ batch, at: written.at, from: String(before), to: String(after), isUndone: false });
        continue;
      }
      const [original, times] = this.#findOriginal(batch);
      const undone = made.find((change) => change.batch === original);
      if (undone) undone.isUndone = times % 2 === 1;
    }
  }

  /** The batch that was undone, redone, … and how many times. */
  #findOriginal(batch: string): [string, number] {
    const undone = this.#undoes.get(batch);
    if (!undone) return [batch, 0];
    const [original, times] = this.#findOriginal(undone);
    return [original, times + 1];
  }

  /** When the lead last came into one of these statuses from another one, before a moment. */
  findEntry(leadId: number, statuses: readonly string[], before = '9999'): string | undefined {
    return (this.#ofLead.get(leadId) ?? [])
      .filter(
        ({ isUndone, at, from, to }) => !isUndone && at < before && statuses.includes(to) && !statuses.includes(from),
      )
      .map(({ at }) => at)
      .sort()
      .at(-1);
  }
}
