import { ERROR_STATUS, Refusal } from '#contract/errors.ts';
import {
  type UpsertBody,
  type UpsertItem,
  type UpsertResult,
  upsertItem as upsertItemSchema,
  upsertOutcome,
} from '#contract/import/upsert.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import { refreshKeys } from '#server/duplicates/refresh-keys.sql.ts';
import { lockUsers } from '#server/import/run/import-rows.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { validationRefusal } from '#server/kit/http/errors.ts';
import type { AddingContext } from '#server/leads/adding/add-lead.ts';
import { lockTarget, refuseSecondLead } from '#server/leads/reassignment-target.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import type { NewItem } from './create-items.ts';
import { listUnknown, lockNamed } from './external-ids.sql.ts';
import { findSimilar } from './look-alikes.ts';
import { createPlanner } from './plan-new.ts';
import { createAll, type Done, type UpsertContext, upsertItem } from './upsert-item.ts';

/** Makes and changes leads, one after the other: what is wrong with one is reported and undoes nothing of the others. */
export async function upsertLeads(tx: Db, { source, onDuplicate, items: sent }: UpsertBody, context: AddingContext) {
  const { viewer } = context;
  const items = sent.map(readItem);
  const valid = items.flatMap((item) => (item instanceof Refusal ? [] : item));
  // Of two additions of one user at once, the second counts the first.
  if (viewer.role !== 'admin') await lockTarget(tx, viewer.id);
  const holders = new Set([viewer.id, ...valid.flatMap(({ holderId }) => holderId ?? [])]);
  const activeUsers = new Set((await lockUsers(tx, [], [...holders])).map(({ id }) => id));
  await requireCurrentRole(tx, viewer);
  await lockNamed(tx, source, valid);
  // What was written by the request before is found, too.
  await refreshKeys(tx);
  const similar = await findSimilar(tx, await listUnknown(tx, source, valid), source);
  const planNew = createPlanner({ source, onDuplicate, viewerId: viewer.id, similar });
  const shared = { ...context, source, onDuplicate, activeUsers, findSimilar: similar.find };

  const results: UpsertResult[] = [];
  const changed: Lead[] = [];
  const refuse = (index: number, refusal: Refusal) => void results.push({ index, ...describeRefusal(refusal) });

  /** Does it for these items, or returns why nothing of it is done. */
  async function attempt(indexes: number[], work: (part: Db, context: UpsertContext) => Promise<Done[]>) {
    const { log, keep } = holdBack(context.log);
    try {
      const done = await refuseSecondLead(() => tx.transaction((part) => work(part, { ...shared, log })));
      keep();
      for (const [nth, index] of indexes.entries()) {
        const { lead, ...rest } = done[nth] as Done; // one for each
        if (lead && rest.outcome === 'changed') changed.push(lead);
        results.push({ index, ...rest, lead: lead && pickLead(lead) });
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal) || ERROR_STATUS[error.code] >= 500) throw error;
      return error;
    }
  }

  /** New leads are made at once; where one is refused, each half at once, until it is alone. */
  async function create(news: Planned[]): Promise<void> {
    const [first] = news;
    if (!first) return;
    const created = news.map(({ added }) => added);
    const refusal = await attempt(
      news.map(({ index }) => index),
      (part, context) => createAll(part, created, context),
    );
    if (!refusal) return;
    if (news.length === 1) return refuse(first.index, refusal);
    const middle = Math.ceil(news.length / 2);
    await create(news.slice(0, middle));
    await create(news.slice(middle));
  }

  let news: Planned[] = [];
  for (const [index, item] of items.entries()) {
    const added = item instanceof Refusal ? undefined : planNew(item);
    if (added) {
      news.push({ index, added });
      continue;
    }
    await create(news);
    news = [];
    const refusal =
      item instanceof Refusal
        ? item
        : await attempt([index], async (part, context) => [await upsertItem(part, item, context)]);
    if (refusal) refuse(index, refusal);
  }
  await create(news);
  await publishLeads(tx, changed);
  const counts = Object.fromEntries(
    upsertOutcome.options.map((each) => [each, results.filter(({ outcome }) => outcome === each).length]),
  ) as Record<UpsertResult['outcome'], number>; // of all options
  return { results, counts };
}

/** An item of the request that is certainly new. */
interface Planned {
  index: number;
  added: NewItem;
}

function readItem(sent: unknown): UpsertItem | Refusal {
  const parsed = upsertItemSchema.safeParse(sent);
  return parsed.success ? parsed.data : validationRefusal(parsed.error);
}

const pickLead = ({ id, uuid, userId, updatedAt }: Lead) => ({ id, uuid, userId, updatedAt });

function describeRefusal({ code, message, details: { errors } }: Refusal): Omit<UpsertResult, 'index'> {
  return { outcome: 'refused', lead: null, ignored: [], error: { code, message, ...(errors && { errors }) } };
}

/** Records what an item changed only once it is not refused. */
function holdBack(log: ChangeLog): { log: ChangeLog; keep: () => void } {
  const held: (() => void)[] = [];
  const hold = (add: () => void) => void held.push(add);
  return {
    log: {
      ...log,
      addLead: (...change) => hold(() => log.addLead(...change)),
      addBusiness: (...change) => hold(() => log.addBusiness(...change)),
      addDeletedLead: (...lead) => hold(() => log.addDeletedLead(...lead)),
    },
    keep: () => {
      for (const add of held) add();
    },
  };
}
