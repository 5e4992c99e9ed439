import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../scripts/testing/fake-places.ts', import.meta.url));

/** Google's two services and the open ones on this machine, and the environment that leads the product to each. */
export async function startFakeProviders() {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { google, googleLegacy, osm } = JSON.parse(line) as Record<string, string>;
  return {
    google: { ...googleAt(google), PLACES_PROVIDER: 'google' },
    'google-legacy': { ...googleAt(googleLegacy), PLACES_PROVIDER: 'google-legacy' },
    osm: {
      PLACES_PROVIDER: 'osm',
      OVERPASS_URL: `${osm}/api/interpreter`,
      NOMINATIM_URL: osm,
      POSTCODES_URL: osm,
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  } as Record<'google' | 'google-legacy' | 'osm', Record<string, string>> & { stop(): Promise<void> };
}

const googleAt = (url = '') => ({
  GOOGLE_MAPS_API_KEY: 'a-key-of-nobody',
  GOOGLE_PLACES_URL: url,
  GOOGLE_MAPS_URL: url,
  POSTCODES_URL: url,
});
