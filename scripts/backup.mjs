// npm run backup -- FILE, npm run restore -- FILE [--replace], npm run move-to-postgres, npm run upgrade-database -- FOLDER
import { makeReady, runBuilt } from './setup/ready.mjs';

await makeReady();
await runBuilt(process.argv[2] ?? 'backup');
