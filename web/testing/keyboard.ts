import { onTestFinished } from 'vitest';
import { listenForKeys } from '#web/find/keyboard.ts';
import { ada } from './fixtures.ts';

/** Runs the commands of a screen by their keys until the test ends, as the shell does. */
export function enableKeys(userId = ada.id) {
  onTestFinished(listenForKeys(userId));
}
