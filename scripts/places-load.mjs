// npm run places:load -- FILE…
import { makeReady, runBuilt } from './setup/ready.mjs';

await makeReady();
await runBuilt('places-load');
