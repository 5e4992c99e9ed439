import '@testing-library/jest-dom/vitest';
import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { closeDialog } from '#web/commands/dialogs.ts';
import { keepFocus } from '#web/kit/navigation/keep-focus.ts';
import { deleteDrafts } from '#web/kit/storage/drafts.ts';
import { cacheComputedStyles } from './computed-styles.ts';

// The first render of a screen imports it, which takes more than the default second on a loaded machine.
configure({ asyncUtilTimeout: 25_000 });
vi.setConfig({ testTimeout: 60_000 });

cacheComputedStyles(window);

// jsdom has no layout: its scrollTo logs an error.
window.scrollTo = () => {};
// jsdom has no pointer capture.
Element.prototype.setPointerCapture ??= () => {};
Element.prototype.releasePointerCapture ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;

const consoleErrors: unknown[][] = [];

/** The control that had the focus last. */
let lastFocused: Element | undefined;
let focusedOn = '';
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) lastFocused = target;
  focusedOn = window.location.pathname;
});
/** A keyboard user would have to start again at the top of the page, which has other controls or a heading. */
const isFocusLost = () =>
  // A disabled control has lost it in a browser, and keeps it in jsdom.
  (document.activeElement === document.body || document.activeElement?.matches(':disabled')) &&
  (lastFocused?.isConnected === false || lastFocused?.matches(':disabled')) &&
  // After a navigation, the app focuses the heading.
  focusedOn === window.location.pathname &&
  document.querySelector('h1, a[href], button:not(:disabled)') !== null;

let stopKeepingFocus = () => {};

beforeEach(() => {
  lastFocused = undefined;
  // As in the app.
  stopKeepingFocus = keepFocus();
  consoleErrors.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args) => void consoleErrors.push(args));
});

afterEach(async () => {
  vi.useRealTimers();
  // A dialog gives the focus back a moment after it has closed; on a loaded machine that is longer.
  for (let waits = 0; isFocusLost() && waits < 20; waits += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  const lost = isFocusLost() ? lastFocused?.outerHTML : undefined;
  stopKeepingFocus();
  cleanup();
  // Dialogs give the focus back a moment after they are gone, which the next test must not see.
  await new Promise((resolve) => setTimeout(resolve));
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  // Test files share modules, and with them the drafts in memory and the palette, which collects keys until it is shown.
  deleteDrafts();
  closeDialog();
  onlineManager.setOnline(true);
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
  const errors = [...consoleErrors];
  vi.restoreAllMocks();
  expect(errors, 'an unexpected console.error').toEqual([]);
  expect(lost, 'the focus fell to the page when this disappeared').toBeUndefined();
});
