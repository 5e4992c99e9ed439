// npm run bench -- NAME: measures the built product (npm run build) on this machine.
import { benchImport } from './bench/import.ts';
import { benchPolling } from './bench/polling.ts';

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  import: benchImport,
  polling: benchPolling,
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (bench) await bench(args);
else {
  console.error(`Name one of: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 1;
}
