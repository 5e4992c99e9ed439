import { vi } from 'vitest';

/** Stands in for the browser's notifications; jsdom has none. */
export function fakeNotification(permission: NotificationPermission = 'default', granted = true) {
  const shown: FakeNotification[] = [];
  class FakeNotification {
    static permission = permission;
    static requestPermission = vi.fn(async () => {
      FakeNotification.permission = granted ? 'granted' : 'denied';
      return FakeNotification.permission;
    });
    onclick: (() => void) | null = null;
    constructor(
      readonly title: string,
      readonly options: NotificationOptions,
    ) {
      shown.push(this);
    }
    close() {}
  }
  vi.stubGlobal('Notification', FakeNotification);
  return { shown, requestPermission: FakeNotification.requestPermission };
}
