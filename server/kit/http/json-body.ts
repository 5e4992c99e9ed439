import { Refusal } from '#contract/errors.ts';

const MAX_DEPTH = 10;
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Parses a JSON body and refuses prototype keys and text that PostgreSQL cannot store. */
export function parseJsonBody(bytes: Buffer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal('invalid_json', 'The request body is not valid JSON');
  }
  requireSafe(body, 1);
  return body;
}

function requireSafe(value: unknown, depth: number): void {
  if (typeof value === 'string') requireStorable(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw new Refusal('validation_failed', 'The request body is nested too deeply');
  for (const [key, inner] of Object.entries(value)) {
    if (PROTOTYPE_KEYS.has(key)) throw new Refusal('validation_failed', 'The request body has a forbidden key');
    requireStorable(key);
    requireSafe(inner, depth + 1);
  }
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function requireStorable(value: string): void {
  if (value.includes('\u0000') || !isWellFormed(value)) {
    throw new Refusal('validation_failed', 'The request holds characters that cannot be stored');
  }
}

const isWellFormed = (value: string) => !/\p{Surrogate}/u.test(value);
