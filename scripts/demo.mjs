// The product with an invented team in it, in a data folder of its own.
import { makeReady, runBuilt } from './setup/ready.mjs';

await makeReady();
// Over whatever an .env file says: a demo has no business in the team's own database.
process.env.DATABASE_URL = '';
process.env.DATA_DIR ||= './data-demo';
process.env.LOG_LEVEL ||= 'warn';
await runBuilt('demo');
