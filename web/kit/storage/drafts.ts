import { useSyncExternalStore } from 'react';
import { fromBase64, toBase64 } from './base64.ts';
import { tryStorage } from './storage.ts';

/**
 * Unsaved text, by user and key. It survives a reload and an expired session. Session storage holds it encrypted: the
 * server gives the key to its author alone, so that the next user of the computer cannot read it.
 */
export interface Draft {
  text: string;
  /** The version of the saved text that the draft is based on; 0 where nothing is saved yet. */
  version: number;
  /** The type chosen along with the text, where there are several. */
  type?: string;
  /** What the text means, where it names what may be renamed. */
  value?: string;
}

export const DRAFT_PREFIX = 'highstreet.draft.';
const PREFIX = DRAFT_PREFIX;
const IV_BYTES = 12;

/** The drafts of this page in plain text, by storage key. */
const drafts = new Map<string, Draft>();
/** When each draft was last typed, counted in changes. */
const changedAt = new Map<string, number>();
let changes = 0;
let typedAt = 0;
/** The drafts that are too long for the storage, or cannot be encrypted: a reload loses them. */
const unstored = new Set<string>();
let encryptionKey: CryptoKey | undefined;
/** The user and the secret of the drafts that are in memory. */
let unlockedFor: string | undefined;
const listeners = new Set<() => void>();

const storageKeyFor = (userId: number, key: string) => `${PREFIX}${userId}.${key}`;

export const areDraftsUnlocked = (userId: number, secret: string) => unlockedFor === `${userId} ${secret}`;

/** Decrypts the stored drafts of a user, and encrypts later ones with the same secret. */
export async function unlockDrafts(userId: number, secret: string): Promise<void> {
  // Web Crypto exists on https and localhost only; elsewhere a draft lasts as long as the page.
  if (globalThis.crypto?.subtle) await decryptStored(userId, secret);
  unlockedFor = `${userId} ${secret}`;
}

async function decryptStored(userId: number, secret: string): Promise<void> {
  const key = await crypto.subtle.importKey('raw', fromBase64(secret), 'AES-GCM', false, ['encrypt', 'decrypt']);
  encryptionKey = key;
  for (const storageKey of storageKeys(userId)) {
    if (drafts.has(storageKey)) continue;
    const stored = tryStorage(() => sessionStorage.getItem(storageKey)) ?? '';
    const draft = await decrypt(key, stored);
    if (draft) setInMemory(storageKey, draft);
    else remove(storageKey);
  }
}

export const readDraft = (userId: number, key: string): Draft | undefined => drafts.get(storageKeyFor(userId, key));

export const useDraft = (userId: number, key: string) => useSyncExternalStore(subscribe, () => readDraft(userId, key));

/** The ends of the keys with this beginning that have a draft. */
export function useDraftKeys(userId: number, beginning: string): string[] {
  const start = storageKeyFor(userId, beginning);
  const ends = useSyncExternalStore(subscribe, () =>
    [...drafts.keys()].flatMap((key) => (key.startsWith(start) ? key.slice(start.length) : [])).join('\n'),
  );
  return ends ? ends.split('\n') : [];
}

/** A text that is a draft until it is saved: every change is stored, and an empty text deletes it. */
export function useTextDraft(userId: number, key: string) {
  const text = useDraft(userId, key)?.text ?? '';
  const change = (next: string) => {
    if (next === '') deleteDraft(userId, key);
    else saveDraft(userId, key, { text: next, version: 0 });
  };
  return [text, change] as const;
}

export function saveDraft(userId: number, key: string, draft: Draft) {
  const storageKey = storageKeyFor(userId, key);
  changes += 1;
  typedAt = Date.now();
  changedAt.set(storageKey, changes);
  setInMemory(storageKey, draft);
  void store(storageKey, draft);
}

export const deleteDraft = (userId: number, key: string) => remove(storageKeyFor(userId, key));

export const countDraftChanges = () => changes;

/** When a draft was last typed, in milliseconds since 1970. */
export const lastTypedAt = () => typedAt;

/** Whether a reload restores the draft. False only once storing it has failed. */
export const useIsStored = (userId: number, key: string) =>
  useSyncExternalStore(subscribe, () => !unstored.has(storageKeyFor(userId, key)));

export const hasUnstoredDraft = (userId: number, prefix: string) =>
  [...unstored].some((storageKey) => storageKey.startsWith(storageKeyFor(userId, prefix)));

/** Whether a draft whose key starts with the prefix was typed after that many changes, and is not saved yet. */
export function hasDraftSince(userId: number, prefix: string, since: number) {
  const start = storageKeyFor(userId, prefix);
  return [...drafts.keys()].some((key) => key.startsWith(start) && (changedAt.get(key) ?? 0) > since);
}

/** Whether logging out would lose unsaved text of this user. */
export const hasDrafts = (userId: number) => storageKeys(userId).length > 0;

/** Deletes the drafts of one user, or all drafts of this tab. */
export function deleteDrafts(userId?: number) {
  for (const storageKey of storageKeys(userId)) remove(storageKey);
}

/**
 * Removes the plain text from memory, because another user may be using this tab. The encrypted drafts stay until their
 * author unlocks them; a draft that could not be encrypted is lost.
 */
export function lockDrafts({ except }: { except?: number | null } = {}) {
  const kept = except ? storageKeys(except) : [];
  for (const storageKey of drafts.keys()) if (!kept.includes(storageKey)) drafts.delete(storageKey);
  encryptionKey = undefined;
  unlockedFor = undefined;
  notify();
}

/** After a sign-in: drafts that other users left in this tab are deleted. */
export function deleteDraftsOfOthers(userId: number) {
  const own = storageKeys(userId);
  for (const storageKey of storageKeys()) if (!own.includes(storageKey)) remove(storageKey);
}

async function store(storageKey: string, draft: Draft) {
  const stored = await encrypt(draft);
  // Encryption is asynchronous: the draft may have changed or been saved meanwhile.
  if (drafts.get(storageKey) !== draft) return;
  const write = (text: string) => {
    sessionStorage.setItem(storageKey, text);
    return true;
  };
  if (stored && tryStorage(() => write(stored))) unstored.delete(storageKey);
  else unstored.add(storageKey);
  notify();
}

async function encrypt(draft: Draft): Promise<string | undefined> {
  if (!encryptionKey) return undefined;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plaintext = new TextEncoder().encode(JSON.stringify(draft));
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, encryptionKey, plaintext);
  return `${toBase64(iv)}.${toBase64(new Uint8Array(ciphertext))}`;
}

async function decrypt(key: CryptoKey, stored: string): Promise<Draft | undefined> {
  try {
    const [iv = '', ciphertext = ''] = stored.split('.');
    const plaintext = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv) }, key, fromBase64(ciphertext));
    const { text, version, type, value } = JSON.parse(new TextDecoder().decode(plaintext));
    if (typeof text !== 'string' || typeof version !== 'number') return undefined;
    return {
      ...{ text, version },
      ...(typeof type === 'string' && { type }),
      ...(typeof value === 'string' && { value }),
    };
  } catch {
    return undefined;
  }
}

function setInMemory(storageKey: string, draft: Draft) {
  drafts.set(storageKey, draft);
  notify();
}

function remove(storageKey: string) {
  drafts.delete(storageKey);
  unstored.delete(storageKey);
  tryStorage(() => sessionStorage.removeItem(storageKey));
  notify();
}

function notify() {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The keys of one user's drafts, or of all, in memory and in storage. */
function storageKeys(userId?: number) {
  const prefix = userId === undefined ? PREFIX : storageKeyFor(userId, '');
  const stored = tryStorage(() => Object.keys(sessionStorage)) ?? [];
  return [...new Set([...drafts.keys(), ...stored])].filter((storageKey) => storageKey.startsWith(prefix));
}
