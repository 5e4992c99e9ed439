import '@testing-library/jest-dom/vitest';
import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { closeDialog } from '#web/find/find.data.ts';
import { deleteDrafts } from '#web/kit/drafts.ts';

// The first render of a screen imports it, which takes more than the default second on a loaded machine.
configure({ asyncUtilTimeout: 25_000 });
vi.setConfig({ testTimeout: 60_000 });

// jsdom has no layout: its scrollTo logs an error.
window.scrollTo = () => {};
// jsdom has no pointer capture.
Element.prototype.setPointerCapture ??= () => {};
Element.prototype.releasePointerCapture ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;

const consoleErrors: unknown[][] = [];

beforeEach(() => {
  consoleErrors.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args) => void consoleErrors.push(args));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
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
});
