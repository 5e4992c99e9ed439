import { tryStorage } from '#web/kit/storage/storage.ts';

const KEY = 'highstreet.passkey';

/** Notes that a passkey was made or used in this browser, which says nothing of whose it is. */
export const noteUsedPasskey = () => tryStorage(() => localStorage.setItem(KEY, 'used'));

export const hasUsedPasskey = () => tryStorage(() => localStorage.getItem(KEY)) === 'used';
