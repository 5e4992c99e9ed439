/** Runs npm with these arguments and returns what it prints. */
export type Npm = (args: string[]) => Promise<string>;

/** A program beside the packages, with an npm package whose versions are the program's. */
export interface Engine {
  name: string;
  version: string;
  package: string;
}

export interface Update {
  name: string;
  here: string;
  newest: string;
  /** Days since they were published; undefined where the registry does not say. */
  hereDays: number | undefined;
  newestDays: number | undefined;
}

/** Why nothing could be compared, in one line. */
export class RegistryUnreachable extends Error {
  override readonly name = 'RegistryUnreachable';
}

const DAY_MS = 86_400_000;

/** What has a newer version: packages their newest one, engines the newest of their major version. */
export async function findUpdates(npm: Npm, engines: Engine[], now: Date): Promise<Update[]> {
  const packages = await listOutdated(npm);
  const updates: Update[] = [];
  for (const { name, here, newest } of packages) {
    updates.push(withAges({ name, here, newest }, await readTimes(npm, name), now));
  }
  for (const { name, version: here, package: source } of engines) {
    const times = await readTimes(npm, source);
    const newest = newestOfMajor(Object.keys(times), here);
    if (newest && compareVersions(newest, here) > 0) updates.push(withAges({ name, here, newest }, times, now));
  }
  return updates;
}

/** npm exits with 1 when it finds any, and names a failure in what it prints. */
async function listOutdated(npm: Npm) {
  const found = JSON.parse((await npm(['outdated', '--json'])) || '{}') as Record<
    string,
    { wanted: string; latest: string }
  >;
  requireNoError(found);
  // Packages for other platforms are not installed, which npm calls outdated as well.
  return Object.entries(found)
    .filter(([, { wanted, latest }]) => wanted !== latest)
    .map(([name, { wanted, latest }]) => ({ name, here: wanted, newest: latest }));
}

async function readTimes(npm: Npm, name: string): Promise<Record<string, string>> {
  const { created, modified, ...versions } = JSON.parse((await npm(['view', name, 'time', '--json'])) || '{}');
  requireNoError(versions);
  return versions;
}

function requireNoError(output: object) {
  if (!('error' in output)) return;
  const { code, summary } = output.error as { code?: string; summary?: string };
  throw new RegistryUnreachable(`The npm registry cannot be reached (${code ?? summary}); nothing was compared.`);
}

function withAges(
  { name, here, newest }: Pick<Update, 'name' | 'here' | 'newest'>,
  times: Record<string, string>,
  now: Date,
): Update {
  const days = (version: string) => {
    const published = times[version];
    return published ? Math.floor((now.getTime() - Date.parse(published)) / DAY_MS) : undefined;
  };
  return { name, here, newest, hereDays: days(here), newestDays: days(newest) };
}

const parts = (version: string) => version.split(/\D+/).map(Number);

function newestOfMajor(versions: string[], here: string): string | undefined {
  // The same form as here: "18.4.0-beta.17" is no candidate for "24.21.0".
  const isPrerelease = here.includes('-');
  const candidates = versions.filter(
    (version) => parts(version)[0] === parts(here)[0] && version.includes('-') === isPrerelease,
  );
  return candidates.sort(compareVersions).at(-1);
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [parts(one), parts(other)];
  const at = a.findIndex((part, nth) => part !== b[nth]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
