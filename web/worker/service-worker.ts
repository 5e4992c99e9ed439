import { ASK_BUILD, type BuildMessage, type WorkerBuild } from '#contract/service-worker.ts';
import { deleteOldBuilds, findPage, loadFile, storeBuild } from './build-cache.ts';
import { loadPage } from './load-page.ts';
import { openNotification, showPush } from './notifications.ts';
import { routeRequest } from './route-request.ts';

// The global of this kind of worker; the library's type is that of all kinds.
declare const self: ServiceWorkerGlobalScope;
/** Written by the build. */
declare const BUILD: WorkerBuild;

self.addEventListener('install', (event) => {
  // At once: open pages find the files of their own build as before.
  event.waitUntil(storeBuild(BUILD).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  // The page of the first visit, too, opens its other screens without the network.
  event.waitUntil(deleteOldBuilds(BUILD).then(() => self.clients.claim()));
});

self.addEventListener('message', ({ data, ports }) => {
  if (data === ASK_BUILD) ports[0]?.postMessage({ entry: BUILD.entry } satisfies BuildMessage);
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const route = routeRequest(request, self.location.origin, BUILD.files);
  if (route === 'page') event.respondWith(loadPage(request, () => findPage(BUILD, request.url)));
  if (route === 'file') event.respondWith(loadFile(BUILD, request));
});

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(self.registration, event.data?.text() ?? ''));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNotification(self.clients, event.notification.data));
});
