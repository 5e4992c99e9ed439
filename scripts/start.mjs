// The whole way from a fresh clone to a running product. Until packages are installed there is nothing but Node here.
import { makeReady, runBuilt } from './setup/ready.mjs';

await makeReady();
await runBuilt('main');
