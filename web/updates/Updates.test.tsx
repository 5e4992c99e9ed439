import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Link } from 'wouter';
import { toast, toasts } from '#web/kit/toasts.ts';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { Updates } from './Updates.tsx';
import { startWorker } from './worker.ts';

const OWN = '/assets/index-own.js';
const reload = vi.fn();

/** The browser's side of a service worker, of which a new one can take over. */
class FakeWorkers extends EventTarget {
  controller: unknown;
  register = vi.fn(async () => {});
  takeOver(entry: string) {
    this.controller = { postMessage: (_: string, [port]: MessagePort[]) => port?.postMessage({ entry }) };
    this.dispatchEvent(new Event('controllerchange'));
  }
}
const workers = new FakeWorkers();
Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers });
startWorker();

const script = document.createElement('script');
script.type = 'module';
script.src = OWN;

beforeEach(() => {
  // Tests of other files may have typed a moment ago.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  fakeServer();
  reload.mockReset();
  history.replaceState(null, '', '/today');
  document.head.append(script);
});
afterEach(async () => {
  vi.useRealTimers();
  await act(async () => workers.takeOver(OWN));
});

const open = async (more?: React.ReactNode) => {
  const shown = show(
    <>
      <Updates reload={reload} />
      <Link href="/crm">Leads</Link>
      <input aria-label="Name" />
      {more}
    </>,
  );
  act(() => workers.takeOver('/assets/index-next.js'));
  expect(await screen.findByText(/Highstreet was updated/)).toBeVisible();
  return shown;
};
const goToLeads = () => userEvent.click(screen.getByRole('link', { name: 'Leads' }));
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

test('an update is reported and taken with the next screen', async () => {
  await open();
  expect(reload).not.toHaveBeenCalled();
  await goToLeads();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('it can be taken sooner', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Reload now' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('a worker of the same build is no update', async () => {
  show(<Updates />);
  act(() => workers.takeOver(OWN));
  await settle();
  expect(screen.queryByText(/was updated/)).toBeNull();
});

test('not while a dialog is open', async () => {
  await open(
    <Dialog open title="Log contact" onClose={() => {}}>
      Text
    </Dialog>,
  );
  act(() => void history.pushState(null, '', '/crm'));
  await settle();
  expect(reload).not.toHaveBeenCalled();
});

test('not while a change can be undone', async () => {
  await open();
  act(() => toast({ title: 'Archived', onUndo: () => {} }));
  await goToLeads();
  await settle();
  expect(reload).not.toHaveBeenCalled();
  act(() => toasts.undo());
});

test('not while leaving would lose something', async () => {
  await open();
  const warn = (event: Event) => event.preventDefault();
  window.addEventListener('beforeunload', warn);
  await goToLeads();
  await settle();
  window.removeEventListener('beforeunload', warn);
  expect(reload).not.toHaveBeenCalled();
});

test('not while a field has the focus', async () => {
  await open();
  await userEvent.type(screen.getByLabelText('Name'), 'Ros');
  act(() => void history.pushState(null, '', '/crm'));
  await settle();
  expect(reload).not.toHaveBeenCalled();
});

test('after a reload by itself, it says so once', async () => {
  sessionStorage.setItem('highstreet.updated', '1');
  show(<Updates />);
  await waitFor(() => expect(toasts.current()?.title).toBe('Highstreet was updated'));
  expect(sessionStorage.getItem('highstreet.updated')).toBeNull();
});
