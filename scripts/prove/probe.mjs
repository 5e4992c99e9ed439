// Loaded into the product by a proof: tells its parent process, when asked, how it fares.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** @typedef {{ heapMb: number, loopP99Ms: number, loopMaxMs: number, handles: number }} Vitals */

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on('message', (asked) => {
  if (asked !== 'vitals') return;
  const [loopP99Ms, loopMaxMs] = [delay.percentile(99) / 1e6, delay.max / 1e6];
  collectGarbage();
  const heapMb = process.memoryUsage().heapUsed / 1024 / 1024;
  const handles = process.getActiveResourcesInfo().length;
  process.send?.({ heapMb, loopP99Ms, loopMaxMs, handles });
  delay.reset();
});
process.channel?.unref();
