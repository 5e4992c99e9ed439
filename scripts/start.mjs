// npm start, demo, backup, …: installs and builds what is missing, then runs a built program (`main` without a name).
// On a fresh clone there is nothing but Node, so this and scripts/setup use no package.
import { makeReady, runBuilt } from './setup/ready.mjs';

await makeReady();
await runBuilt(process.argv[2] ?? 'main');
