// npm run backup -- FILE, npm run restore -- FILE [--replace], and npm run move-to-postgres
import { makeReady, runBuilt } from './setup/ready.mjs';

await makeReady();
await runBuilt(process.argv[2] ?? 'backup');
