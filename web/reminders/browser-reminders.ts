import { useSyncExternalStore } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { tryStorage } from '#web/kit/storage/storage.ts';

/** `unanswered`: the user was not asked yet, or took the permission back in the browser. */
export type BrowserReminders = 'unsupported' | 'blocked' | 'on' | 'off' | 'unanswered';

/** Kept at log-out, because the user is asked once; it has no name and no text. */
const storageKey = (userId: number) => `highstreet.browser-reminders.${userId}`;

const listeners = new Set<() => void>();
/** The user who has planned a follow-up on this page. */
let plannedBy: number | undefined;

const notify = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether this browser shows notifications to the user when follow-ups are due. */
export function readBrowserReminders(userId: number): BrowserReminders {
  if (typeof window.Notification === 'undefined') return 'unsupported';
  const { permission } = window.Notification;
  if (permission === 'denied') return 'blocked';
  const choice = tryStorage(() => localStorage.getItem(storageKey(userId)));
  if (choice === 'on' && permission === 'granted') return 'on';
  return choice === 'off' ? 'off' : 'unanswered';
}

function setChoice(userId: number, choice: 'on' | 'off') {
  tryStorage(() => localStorage.setItem(storageKey(userId), choice));
  if (plannedBy === userId) plannedBy = undefined;
  notify();
}

/** Asks for the browser's permission, where it was not given yet. Browsers allow that only after a click. */
async function turnOn(userId: number) {
  const permission = await window.Notification.requestPermission();
  setChoice(userId, permission === 'granted' ? 'on' : 'off');
}

export function useBrowserReminders() {
  const { id } = useViewer();
  const state = useSyncExternalStore(subscribe, () => readBrowserReminders(id));
  return { state, turnOn: () => void turnOn(id), turnOff: () => setChoice(id, 'off') };
}

/** To be called when the user has planned a follow-up: the first time, the page then offers reminders. */
export function offerBrowserReminders(userId: number) {
  if (readBrowserReminders(userId) !== 'unanswered') return;
  plannedBy = userId;
  notify();
}

/** Whether to offer reminders now. */
export function useReminderOffer(): boolean {
  const { id } = useViewer();
  return useSyncExternalStore(subscribe, () => plannedBy === id && readBrowserReminders(id) === 'unanswered');
}
