export const SERVICE_WORKER_PATH = '/sw.js';

/** What a page sends to the service worker to be sent `BuildMessage`. */
export const ASK_BUILD = 'build';

/** Which build the service worker has: two builds that differ have scripts of different names. */
export type BuildMessage = Pick<WorkerBuild, 'entry'>;

/** What the service worker sends to a page that is to show another screen, after a press on a notification. */
export interface OpenMessage {
  open: string;
}

/** What the build writes into the service worker. */
export interface WorkerBuild {
  /** A hash of all files. */
  version: string;
  /** The path of the script that index.html begins with. */
  entry: string;
  /** The paths of all files that a page can ask for. */
  files: readonly string[];
}
