import { and, eq, inArray, isNull } from 'drizzle-orm';
import { concerns, type ObjectionChannel, type ObjectionSource } from '#contract/contact-rules/objection.ts';
import type { Db } from '#server/kit/db/db.ts';
import { toInsertParts } from '#server/kit/db/parameters.ts';
import { businesses } from '#server/schema/leads.ts';
import { objectionSubjects, objections } from '#server/schema/objections.ts';
import { loadObjectionKey } from './objection-facts.sql.ts';
import { hashSubject, listSubjects, type Subject, toEmailKey, toNumberKeys } from './subjects.ts';

/** A subject whose hash is known, and what people read of it, if anything. */
export interface HashedSubject extends Pick<Subject, 'kind'> {
  hash: string;
  value: string | null;
}

export interface NewObjection {
  channel: ObjectionChannel;
  subjects: HashedSubject[];
  since: string;
  words: string;
}

export interface Recorder {
  source: ObjectionSource;
  viewerId: number;
  program?: string | undefined;
  now: Date;
}

/** What objections of a business to this channel are about: those of its number, its address and itself that it concerns. */
export async function subjectsOf(
  tx: Db,
  channel: ObjectionChannel,
  business: { placeId: string; name: string; phone: string | null; email: string | undefined },
): Promise<HashedSubject[]> {
  const key = await loadObjectionKey(tx);
  const values = { number: business.phone, email: toEmailKey(business.email), business: business.name };
  return listSubjects(business)
    .filter(({ kind }) => concerns(channel, kind))
    .map((subject) => ({ kind: subject.kind, hash: hashSubject(key, subject), value: values[subject.kind] }));
}

/** The number or the address that a person typed; undefined where it is neither. */
export function toTypedSubject(key: string, kind: 'number' | 'email', text: string): HashedSubject | undefined {
  const typed = kind === 'email' ? toEmailKey(text) : toNumberKeys(text)[0];
  return typed ? { kind, hash: hashSubject(key, { kind, key: typed }), value: text.trim() } : undefined;
}

/** Records objections, without those that stand already. Returns the ids of the recorded ones. */
export async function recordObjections(tx: Db, found: NewObjection[], recorder: Recorder): Promise<string[]> {
  const standing = await readStanding(tx, found);
  const fresh: NewObjection[] = [];
  for (const objection of found) {
    const keys = objection.subjects.map((subject) => toKey(objection, subject));
    if (keys.every((key) => standing.has(key))) continue;
    for (const key of keys) standing.add(key);
    fresh.push(objection);
  }
  const ids: string[] = [];
  for (const part of toInsertParts(fresh)) {
    const rows = part.map(({ channel, since, words }) => ({
      ...{ channel, since, words, source: recorder.source },
      recordedBy: recorder.viewerId,
      recordedAt: recorder.now.toISOString(),
      program: recorder.program ?? null,
    }));
    const stored = await tx.insert(objections).values(rows).returning({ id: objections.id });
    ids.push(...stored.map(({ id }) => id));
    const subjects = part.flatMap(({ subjects }, at) =>
      subjects.map((each) => ({ ...each, objectionId: stored[at]?.id ?? '' })),
    );
    for (const some of toInsertParts(subjects)) await tx.insert(objectionSubjects).values(some).onConflictDoNothing();
  }
  return ids;
}

/** The same words twice are one objection; other words are kept as another one. */
const toKey = (
  { channel, words }: Pick<NewObjection, 'channel' | 'words'>,
  { kind, hash }: Pick<HashedSubject, 'kind' | 'hash'>,
) => `${channel} ${kind} ${hash} ${words}`;

async function readStanding(tx: Db, found: NewObjection[]): Promise<Set<string>> {
  const hashes = [...new Set(found.flatMap(({ subjects }) => subjects.map(({ hash }) => hash)))];
  const keys = new Set<string>();
  for (const part of toInsertParts(hashes)) {
    const rows = await tx
      .select({
        channel: objections.channel,
        words: objections.words,
        kind: objectionSubjects.kind,
        hash: objectionSubjects.hash,
      })
      .from(objectionSubjects)
      .innerJoin(objections, eq(objections.id, objectionSubjects.objectionId))
      .where(and(inArray(objectionSubjects.hash, part), isNull(objections.liftedAt)));
    for (const row of rows) {
      keys.add(toKey(row, row));
      keys.add(toKey({ channel: row.channel, words: '' }, row));
    }
  }
  return keys;
}

/** What was said of merged businesses is said of the one that stays. */
export async function carryObjections(tx: Db, mergedIds: number[], keptId: number) {
  const key = await loadObjectionKey(tx);
  const places = await tx
    .select({ id: businesses.id, placeId: businesses.placeId, name: businesses.name })
    .from(businesses)
    .where(inArray(businesses.id, [...mergedIds, keptId]));
  const toHash = ({ placeId }: { placeId: string }) => hashSubject(key, { kind: 'business', key: placeId });
  const kept = places.find(({ id }) => id === keptId);
  const merged = places.filter((place) => place !== kept).map(toHash);
  const rows = await tx
    .selectDistinct({ objectionId: objectionSubjects.objectionId })
    .from(objectionSubjects)
    .where(inArray(objectionSubjects.hash, merged));
  if (!kept || !rows.length) return;
  const subject = { kind: 'business' as const, hash: toHash(kept), value: kept.name };
  await tx
    .insert(objectionSubjects)
    .values(rows.map((row) => ({ ...row, ...subject })))
    .onConflictDoNothing();
}
