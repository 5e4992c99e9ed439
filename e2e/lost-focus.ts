import type { BrowserContext, Page } from '@playwright/test';

declare global {
  interface Window {
    lastFocus?: { element: Element; path: string };
  }
}

/** Notes on every page which control had the focus last. */
export const noteFocus = (context: BrowserContext) =>
  context.addInitScript(() => {
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) window.lastFocus = { element: target, path: window.location.pathname };
    });
  });

/**
 * The control that disappeared and left the focus on the page: a keyboard user would have to start again at its top. Empty
 * where there is none. After a navigation, the app focuses the heading.
 */
export const findLostFocus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement, body } = document;
    const { element, path } = window.lastFocus ?? {};
    if (!element || (activeElement && activeElement !== body) || path !== window.location.pathname) return '';
    const gone = !element.isConnected || element.matches(':disabled') || !element.checkVisibility();
    return gone && document.querySelector('h1, a[href], button:not(:disabled)') ? element.outerHTML : '';
  });
