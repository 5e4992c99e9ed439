import { useSyncExternalStore } from 'react';

/**
 * Words that somebody typed and has not saved yet. They must survive a reload and a session that runs out in the middle
 * of a sentence. Storage holds them sealed: the key comes from the server, to the person who wrote them and to nobody
 * else, so that what lies in the browser is readable by no one who sits down there next.
 */
export interface Draft {
  text: string;
  /** The version of the saved text that it was begun on; 0 where nothing is saved yet. */
  version: number;
  /** The type chosen along with the text, where there are several. */
  type?: string;
}

const PREFIX = 'highstreet.draft.';
const NONCE_BYTES = 12;

/** All drafts of this page in the clear; storage only has what a reload must bring back. */
const memory = new Map<string, Draft>();
let seal: CryptoKey | undefined;
const listeners = new Set<() => void>();

const keyOf = (userId: number, about: string) => `${PREFIX}${userId}.${about}`;

/** Brings back what a reload left of somebody's drafts, and seals the next ones with their key. */
export async function openDrafts(userId: number, secret: string): Promise<void> {
  // Only pages over https, or on the machine itself, may seal; elsewhere a draft lasts as long as the page.
  if (!globalThis.crypto?.subtle) return;
  const key = await crypto.subtle.importKey('raw', fromText(secret), 'AES-GCM', false, ['encrypt', 'decrypt']);
  seal = key;
  for (const name of draftKeys()) {
    if (memory.has(name) || !name.startsWith(keyOf(userId, ''))) continue;
    const draft = await unsealed(
      key,
      inStorage((storage) => storage.getItem(name)),
    );
    if (draft) put(name, draft);
    else drop(name);
  }
}

export const readDraft = (userId: number, about: string): Draft | undefined => memory.get(keyOf(userId, about));

/** The draft as it is now, wherever it is changed or dropped. */
export const useDraft = (userId: number, about: string) =>
  useSyncExternalStore(subscribe, () => readDraft(userId, about));

export function keepDraft(userId: number, about: string, draft: Draft) {
  const name = keyOf(userId, about);
  put(name, draft);
  void store(name, draft);
}

export const dropDraft = (userId: number, about: string) => drop(keyOf(userId, about));

/** Whether anything in this tab would be lost if this user logged out. */
export const hasDrafts = (userId: number) => draftKeys(userId).length > 0;

/** Drops the drafts of one user, or all of this tab. */
export function dropDrafts(userId?: number) {
  for (const name of draftKeys(userId)) drop(name);
}

/**
 * Another user may be at this tab now: only what is sealed stays of drafts, until their author opens them again. A
 * draft that could not be sealed is lost.
 */
export function lockDrafts({ except }: { except?: number | null } = {}) {
  const kept = except ? draftKeys(except) : [];
  for (const name of memory.keys()) if (!kept.includes(name)) memory.delete(name);
  notify();
}

/** Somebody is at the desk: what others left in this tab is not for their eyes. */
export function keepOnlyDraftsOf(userId: number) {
  for (const name of draftKeys()) if (!name.startsWith(keyOf(userId, ''))) drop(name);
}

async function store(name: string, draft: Draft) {
  if (!seal) return;
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const text = new TextEncoder().encode(JSON.stringify(draft));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, seal, text));
  // Sealing takes a moment, in which it may have been typed on or saved.
  if (memory.get(name) !== draft) return;
  inStorage((storage) => storage.setItem(name, `${toText(iv)}.${toText(sealed)}`));
}

async function unsealed(key: CryptoKey, stored: string | null | undefined): Promise<Draft | undefined> {
  try {
    const [iv = '', sealed = ''] = (stored ?? '').split('.');
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromText(iv) }, key, fromText(sealed));
    const { text, version, type } = JSON.parse(new TextDecoder().decode(opened));
    if (typeof text !== 'string' || typeof version !== 'number') return undefined;
    return typeof type === 'string' ? { text, version, type } : { text, version };
  } catch {
    return undefined;
  }
}

function put(name: string, draft: Draft) {
  memory.set(name, draft);
  notify();
}

function drop(name: string) {
  memory.delete(name);
  inStorage((storage) => storage.removeItem(name));
  notify();
}

function notify() {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function draftKeys(userId?: number) {
  const prefix = userId === undefined ? PREFIX : keyOf(userId, '');
  const stored = inStorage((storage) => Object.keys(storage)) ?? [];
  return [...new Set([...memory.keys(), ...stored])].filter((name) => name.startsWith(prefix));
}

/** Storage can be forbidden or full: the draft then lasts as long as the page. */
function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

const toText = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromText = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
