import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { FIXED_BYTES, rawBytes, sendRaw } from '#server/testing/fuzz/raw-bytes.ts';
import { requests } from '#server/testing/fuzz/requests.ts';
import { runRequests } from '#server/testing/fuzz/run-requests.ts';
import { startPostgres } from '../testing/postgres.ts';
import { createTarget } from './fuzz-world.ts';
import { startProduct } from './product.ts';
import { type Proof, withCleanUp } from './proof.ts';

const REQUESTS = 20_000;
const RAW = 2_000;
/** Made and sent so many at a time. */
const BATCH = 1_000;

export const fuzz: Proof = {
  says: `${REQUESTS.toLocaleString('en-US')} requests made from the contract's schemas and ${RAW} of raw bytes: no 5xx, no hang. fuzz [--seed N] [--requests N]`,
  run: (args, checks) =>
    withCleanUp(async (later) => {
      const option = (name: string) => Number(args[args.indexOf(`--${name}`) + 1]);
      const seed = args.includes('--seed') ? option('seed') : randomInt(2 ** 31);
      const wanted = args.includes('--requests') ? option('requests') : REQUESTS;
      console.log(`  repeat it with --seed ${seed}`);
      const postgres = await startPostgres();
      if (!postgres) throw new Error('PostgreSQL is needed (Debian: apt-get install postgresql)');
      later(postgres.stop);
      const product = await startProduct({ env: { DATABASE_URL: postgres.url } });
      later(product.stop);
      const target = await createTarget(product.url, postgres.url);
      later(target.close);
      const before = product.memoryMb();

      const statuses: Record<string, number> = {};
      const found: unknown[] = [];
      let sent = 0;
      for (let batch = 0; sent < wanted; batch += 1) {
        const numRuns = Math.min(BATCH, wanted - sent);
        const result = await runRequests(target, fc.sample(requests, { seed: seed + batch, numRuns }));
        for (const [status, count] of Object.entries(result.statuses)) {
          statuses[status] = (statuses[status] ?? 0) + count;
        }
        for (const each of result.failures) console.log(JSON.stringify({ batch, ...each }, null, 1).slice(0, 3_000));
        found.push(...result.failures);
        sent += result.sent;
      }
      checks.holds(
        `${sent} requests: no 5xx, no hang, no refusal that the contract does not know`,
        !found.length,
        statuses,
      );
      const good = (statuses[200] ?? 0) + (statuses[201] ?? 0) + (statuses[204] ?? 0);
      checks.holds('enough of them were good ones for this to mean something', good > sent / 10, `${good} good`);

      const raw = [...FIXED_BYTES, ...fc.sample(rawBytes, { seed, numRuns: RAW })];
      const complaints: string[] = [];
      for (let at = 0; at < raw.length; at += 50) {
        await Promise.all(
          raw.slice(at, at + 50).map(async (each) => {
            const why = await sendRaw(product.port, each);
            if (why) complaints.push(`${why}: ${JSON.stringify(each.bytes.toString('latin1').slice(0, 200))}`);
          }),
        );
      }
      checks.holds(
        `${raw.length} times raw bytes: refused or ended, nothing hidden in them answered`,
        !complaints.length,
        complaints.slice(0, 5).join('\n'),
      );
      checks.holds('the log tells of no error', !product.complaints.length, product.complaints.slice(0, 3).join('\n'));
      checks.holds(
        'the product is alive, and holds little more memory',
        product.memoryMb() < before + 200,
        `${before.toFixed(0)} → ${product.memoryMb().toFixed(0)} MB`,
      );
    }),
};
