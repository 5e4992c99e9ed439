import { beforeEach, expect, test, vi } from 'vitest';
import { loadPage } from './load-page.ts';

const stored = async () => new Response('stored');
const load = async (find: () => Promise<Response | undefined> = stored) =>
  (await loadPage(new Request('https://crm.example/today'), find)).text();
const fetch = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetch);
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test("it is the server's page", async () => {
  fetch.mockResolvedValue(new Response('of the server'));
  expect(await load()).toBe('of the server');
});

test('without the network it is the stored page', async () => {
  fetch.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await load()).toBe('stored');
});

test('of a server that is down it is the stored page', async () => {
  fetch.mockResolvedValue(new Response('Bad gateway', { status: 502 }));
  expect(await load()).toBe('stored');
  fetch.mockResolvedValue(new Response('Bad gateway', { status: 502 }));
  expect(await load(async () => undefined)).toBe('Bad gateway');
});

test('of a slow server it is the stored page, or the server is waited for', async () => {
  const slow = () => new Promise<Response>((resolve) => setTimeout(resolve, 10_000, new Response('late')));
  fetch.mockImplementation(slow);
  const [shown, waited] = [load(), load(async () => undefined)];
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await shown).toBe('stored');
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await waited).toBe('late');
});
