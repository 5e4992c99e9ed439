import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { restoreScrollPositions } from './scroll-restoration.ts';

let pageHeight = 5_000;
let stop = () => {};

beforeEach(() => {
  pageHeight = 5_000;
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => pageHeight);
  vi.spyOn(window, 'scrollTo').mockImplementation(((_x: number, y: number) => scrollBy(y)) as typeof window.scrollTo);
  scrollBy(0);
  window.history.replaceState(null, '', '/crm');
  stop = restoreScrollPositions();
});
afterEach(() => {
  stop();
  scrollBy(0);
});

/** As a person or the page does it. */
function scrollBy(y: number) {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  window.dispatchEvent(new Event('scroll'));
}
const follow = (path: string) => window.history.pushState(null, '', path);
const back = () =>
  new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true });
    window.history.back();
  });
const frames = () => new Promise((resolve) => setTimeout(resolve, 60));

test.each(['/business/1', '/crm?town=York', '/crm'])(
  'a link to %s starts at the top, and Back returns',
  async (path) => {
    scrollBy(700);
    follow(path);
    expect(window.scrollY).toBe(0);
    scrollBy(40);
    await back();
    await vi.waitFor(() => expect(window.scrollY).toBe(700));
  },
);

test('each entry has its own position, also at the same address', async () => {
  scrollBy(700);
  follow('/crm?town=York');
  scrollBy(300);
  follow('/crm');
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(300));
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
  follow('/business/1');
  expect(window.scrollY).toBe(0);
});

test('a replaced address is still the same entry', async () => {
  scrollBy(700);
  window.history.replaceState({ from: '/x' }, '', '/crm?sort=oldest');
  expect(window.scrollY).toBe(700);
  expect(window.history.state).toMatchObject({ from: '/x' });
  follow('/business/1');
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
});

test('a redirect starts at the top', () => {
  scrollBy(700);
  window.history.replaceState(null, '', '/auth');
  expect(window.scrollY).toBe(0);
});

test('a page is scrolled once its content is there, unless the person scrolls first', async () => {
  scrollBy(700);
  follow('/business/1');
  pageHeight = 800;
  await back();
  await frames();
  expect(window.scrollY).toBe(0);
  pageHeight = 5_000;
  await vi.waitFor(() => expect(window.scrollY).toBe(700));

  follow('/business/2');
  pageHeight = 800;
  await back();
  window.dispatchEvent(new Event('wheel'));
  pageHeight = 5_000;
  await frames();
  expect(window.scrollY).toBe(0);
});

test('a reload finds the page where it was', async () => {
  scrollBy(700);
  window.dispatchEvent(new Event('pagehide'));
  stop();
  scrollBy(0);
  stop = restoreScrollPositions();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
});

test('what is not ours in the storage or in the state of an entry does no harm', async () => {
  stop();
  sessionStorage.setItem('highstreet.scroll', '{"a":[1]}');
  window.history.replaceState('text', '', '/crm');
  stop = restoreScrollPositions();
  scrollBy(700);
  follow('/business/1');
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
});
