import { tinykeys } from 'tinykeys';
import { COMMAND_NAMES, COMMANDS, type CommandName, findHandler } from '#web/commands/commands.ts';
import { areSingleKeysOn } from './single-keys.ts';

const TYPING = 'input:not([type="checkbox"], [type="button"]), textarea, select, [contenteditable="true"]';
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="combobox"][aria-expanded="true"]';

/** Runs the commands by their keys. Returns the function that ends it. */
export function listenForKeys(userId: number): () => void {
  const keys = [...new Set(COMMAND_NAMES.flatMap((name) => COMMANDS[name].keys))];
  // Sequences first: of "g l", the "l" must not run a command of its own.
  keys.sort((a, b) => Number(isSequence(b)) - Number(isSequence(a)));
  const namesOf = (key: string) => COMMAND_NAMES.filter((name) => COMMANDS[name].keys.includes(key));
  return tinykeys(
    window,
    Object.fromEntries(keys.map((key) => [key, (event: KeyboardEvent) => press(event, key, namesOf(key), userId)])),
  );
}

const isSequence = (key: string) => key.includes(' ');

function press(event: KeyboardEvent, key: string, names: CommandName[], userId: number) {
  // Handled already: an overlay was closed by Escape, or the key ended a sequence.
  if (event.defaultPrevented || event.isComposing) return;
  const withModifier = key.startsWith('$mod+');
  if (document.querySelector(OVERLAY)) {
    // Ctrl K is the browser's own search otherwise.
    if (withModifier) event.preventDefault();
    return;
  }
  if (!withModifier && (!areSingleKeysOn(userId) || isTyping(event.target))) return;
  const run = findHandler(...names);
  if (run && run(event) !== false) event.preventDefault();
}

const isTyping = (target: EventTarget | null) => target instanceof Element && target.closest(TYPING) !== null;
