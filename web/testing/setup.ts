import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { deleteDrafts } from '#web/kit/drafts.ts';

// The first visit of a screen loads it, which on a busy machine takes longer than the usual second.
configure({ asyncUtilTimeout: 25_000 });
vi.setConfig({ testTimeout: 60_000 });

// jsdom has no layout, and complains when it is asked to scroll.
window.scrollTo = () => {};
// jsdom has no pointer capture.
Element.prototype.setPointerCapture ??= () => {};
Element.prototype.releasePointerCapture ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;

const complaints: unknown[][] = [];

beforeEach(() => {
  complaints.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...said) => void complaints.push(said));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  // Test files share their modules, and with them what one left unsaved.
  deleteDrafts();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
  const said = [...complaints];
  vi.restoreAllMocks();
  expect(said, 'an unexpected console.error').toEqual([]);
});
