import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../scripts/testing/fake-places.ts', import.meta.url));

type Env = Record<string, string>;

export interface FakeProviders {
  /** For each provider, the environment that makes the product use the fake. */
  env: Record<'google' | 'google-legacy' | 'osm', Env>;
  stop(): Promise<void>;
}

/** Both Google services, OpenStreetMap's and postcodes.io, served by one process on this machine. */
export async function startFakeProviders(): Promise<FakeProviders> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { google, googleLegacy, osm } = JSON.parse(line) as { google: string; googleLegacy: string; osm: string };
  return {
    env: {
      google: { ...googleEnv(google), PLACES_PROVIDER: 'google' },
      'google-legacy': { ...googleEnv(googleLegacy), PLACES_PROVIDER: 'google-legacy' },
      osm: {
        PLACES_PROVIDER: 'osm',
        OVERPASS_URL: `${osm}/api/interpreter`,
        NOMINATIM_URL: osm,
        POSTCODES_URL: osm,
      },
    },
    async stop() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}

const googleEnv = (url: string): Env => ({
  GOOGLE_MAPS_API_KEY: 'not-a-real-key',
  GOOGLE_PLACES_URL: url,
  GOOGLE_MAPS_URL: url,
  POSTCODES_URL: url,
});
