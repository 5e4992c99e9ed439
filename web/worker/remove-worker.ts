// Sent in place of the service worker where an operator has turned it off: it removes what the worker has left.
declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(remove()));

async function remove() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
  // Only those that the worker controlled. Pages that are loaded from now on have none, so this happens once.
  for (const client of await self.clients.matchAll({ type: 'window' }))
    await client.navigate(client.url).catch(() => {});
}

export {}; // a module, whose `self` is its own
