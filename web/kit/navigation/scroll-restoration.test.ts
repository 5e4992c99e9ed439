import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { restoreScrollPositions } from './scroll-restoration.ts';

let pageHeight = 5_000;
let stop = () => {};

beforeEach(() => {
  pageHeight = 5_000;
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => pageHeight);
  vi.spyOn(window, 'scrollTo').mockImplementation(((_x: number, y: number) => scrollTo(y)) as typeof window.scrollTo);
  scrollTo(0);
  window.history.replaceState(null, '', '/crm');
  stop = restoreScrollPositions();
});
afterEach(() => {
  stop();
  scrollTo(0);
});

/** Simulates a scroll of the user or the page. */
function scrollTo(y: number) {
  setScrollY(y);
  window.dispatchEvent(new Event('scroll'));
}
const setScrollY = (y: number) => Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
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
    scrollTo(700);
    follow(path);
    expect(window.scrollY).toBe(0);
    scrollTo(40);
    await back();
    await vi.waitFor(() => expect(window.scrollY).toBe(700));
  },
);

test('each history entry has its own position, also at the same URL', async () => {
  scrollTo(700);
  follow('/crm?town=York');
  scrollTo(300);
  follow('/crm');
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(300));
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
  follow('/business/1');
  expect(window.scrollY).toBe(0);
});

test('a scroll whose event is still to come is restored', async () => {
  setScrollY(700);
  follow('/crm?town=York');
  setScrollY(300);
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
  window.history.forward();
  await vi.waitFor(() => expect(window.scrollY).toBe(300));
});

test('a replaced URL is still the same entry', async () => {
  scrollTo(700);
  window.history.replaceState({ from: '/x' }, '', '/crm?sort=oldest');
  expect(window.scrollY).toBe(700);
  expect(window.history.state).toMatchObject({ from: '/x' });
  follow('/business/1');
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
});

test('the link that was followed has the focus again, once it is there', async () => {
  const main = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => main.remove());
  const showLinks = () => {
    main.innerHTML = '<h1 tabindex="-1">Today</h1><a href="/business/1">Bakery</a><a href="/business/2">Florist</a>';
  };
  showLinks();
  main.querySelectorAll('a')[1]?.focus();
  follow('/business/2');
  main.innerHTML = '';
  await back();
  await frames();
  showLinks();
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Florist'));
});

test('the button that led away has the focus again', async () => {
  const main = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => main.remove());
  main.innerHTML =
    '<h1 tabindex="-1">Today</h1><button>Log</button><button data-leads-away="work Overdue">Work</button>';
  main.querySelectorAll('button')[1]?.focus();
  follow('/business/2');
  main.querySelector('h1')?.focus();
  await back();
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Work'));
});

test('a redirect starts at the top', () => {
  scrollTo(700);
  window.history.replaceState(null, '', '/auth');
  expect(window.scrollY).toBe(0);
});

test('a page is scrolled once its content is tall enough, unless the user scrolls first', async () => {
  scrollTo(700);
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

test('a reload restores the position', async () => {
  scrollTo(700);
  window.dispatchEvent(new Event('pagehide'));
  stop();
  scrollTo(0);
  stop = restoreScrollPositions();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
});

test('malformed storage and foreign history state are ignored', async () => {
  stop();
  sessionStorage.setItem('highstreet.scroll', '{"a":[1]}');
  window.history.replaceState('text', '', '/crm');
  stop = restoreScrollPositions();
  scrollTo(700);
  follow('/business/1');
  await back();
  await vi.waitFor(() => expect(window.scrollY).toBe(700));
});
