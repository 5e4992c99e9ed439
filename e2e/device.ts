import { expect, type Page } from '@playwright/test';

/** The key with which the device keeps what it needs has arrived. */
export async function deviceIsReady(page: Page) {
  const isUnlocked = () =>
    page.evaluate(async () => {
      // Opening it would make an empty one.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'highstreet')) return false;
      return new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open('highstreet');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const { result } = opening;
          const users = result.transaction('users').objectStore('users').getAll();
          users.onsuccess = () => {
            result.close();
            resolve(users.result.some(({ key }) => key !== null));
          };
        };
      });
    });
  await expect.poll(isUnlocked).toBe(true);
}
