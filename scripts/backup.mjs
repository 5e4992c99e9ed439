// npm run backup -- FILE, and npm run restore -- FILE [--replace]
import { makeReady, runBuilt } from './setup/ready.mjs';

await makeReady();
await runBuilt(process.argv[2] === 'restore' ? 'restore' : 'backup');
