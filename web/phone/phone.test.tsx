import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { InstallOffer } from './InstallOffer.tsx';
import { holdInstallPrompt } from './install-prompt.ts';
import { PhoneHelpScreen } from './PhoneHelpScreen.tsx';

holdInstallPrompt();

const prompt = vi.fn(async () => {});
const askByBrowser = () => {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(event));
  return event;
};
const device = ({ phone, installed }: { phone: boolean; installed: boolean }) =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('standalone') ? installed : phone,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  localStorage.removeItem('highstreet.install');
  device({ phone: true, installed: false });
});
afterEach(() => {
  act(() => void window.dispatchEvent(new Event('appinstalled')));
  vi.useRealTimers();
  vi.unstubAllGlobals();
  prompt.mockClear();
});

const offer = () => screen.queryByRole('region', { name: 'Highstreet on your phone' });
/** Opens Today on some days of November. */
const useOn = (...days: number[]) => {
  for (const day of days) {
    vi.setSystemTime(new Date(`2026-11-${String(day).padStart(2, '0')}T09:00:00Z`));
    const { unmount } = show(<InstallOffer />);
    if (day !== days.at(-1)) unmount();
  }
};

describe('the offer to install', () => {
  test('comes on the day after three days of use, once on a device', async () => {
    useOn(2, 2, 3, 6);
    expect(offer()).toBeNull();
    useOn(9);
    expect(offer()).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'No, thanks' }));
    useOn(10, 11, 12, 13);
    expect(offer()).toBeNull();
  });

  test("opens the browser's own question where it has one, and says how where not", async () => {
    useOn(2, 3, 6, 9);
    expect(screen.getByRole('link', { name: 'Show me how' })).toHaveAttribute('href', '/help/phone');
    expect(askByBrowser().defaultPrevented).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Install' }));
    expect(prompt).toHaveBeenCalledOnce();
    expect(offer()).toBeNull();
  });

  test.each([
    ['a computer', { phone: false, installed: false }],
    ['a phone where it is installed', { phone: true, installed: true }],
  ])('does not come on %s', (_, kind) => {
    device(kind);
    useOn(2, 3, 6, 9, 10);
    expect(offer()).toBeNull();
  });

  test('does not come where the device cannot remember that it came', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    useOn(2, 3, 6, 9, 10);
    expect(offer()).toBeNull();
    vi.restoreAllMocks();
  });
});

describe('"On your phone"', () => {
  test('says how to install, and what works without a network', async () => {
    vi.stubGlobal('isSecureContext', true);
    fakeServer().responds(getSettings, SETTINGS);
    show(<PhoneHelpScreen />);
    for (const name of ['On an iPhone or iPad', 'On an Android phone', 'Without a network', 'Notifications']) {
      expect(screen.getByRole('heading', { level: 2, name })).toBeVisible();
    }
    expect(screen.queryByText(/does not begin with https/)).toBeNull();
    askByBrowser();
    await userEvent.click(screen.getByRole('button', { name: 'Install Highstreet' }));
    expect(prompt).toHaveBeenCalledOnce();
  });

  test('says why it cannot be without https', async () => {
    vi.stubGlobal('isSecureContext', false);
    fakeServer().responds(getSettings, SETTINGS);
    show(<PhoneHelpScreen />);
    expect(screen.getByText(/does not begin with https/)).toBeVisible();
    await waitFor(() => expect(screen.getByText(/help@example.com/)).toBeVisible());
  });
});
