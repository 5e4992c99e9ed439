// npm run prove -- NAME: checks a property of the built product (npm run build) that takes too long for npm test.
import { database } from './prove/database.ts';
import { diskFull } from './prove/disk-full.ts';
import { kill } from './prove/kill.ts';
import { powerCut } from './prove/power-cut.ts';
import { createChecks, type Proof } from './prove/proof.ts';
import { scaleOut } from './prove/scale-out.ts';
import { soak } from './prove/soak.ts';

const PROOFS: Record<string, Proof> = {
  kill,
  'power-cut': powerCut,
  'disk-full': diskFull,
  database,
  'scale-out': scaleOut,
  soak,
};

const [name = '', ...args] = process.argv.slice(2);
const chosen = Object.entries(PROOFS).filter(([each]) => name === 'all' || name === each);
if (!chosen.length) {
  console.error('Name one of these, or "all":\n');
  for (const [each, { description }] of Object.entries(PROOFS)) console.error(`  ${each.padEnd(12)} ${description}`);
  process.exit(name ? 1 : 0);
}

const checks = createChecks();
for (const [each, proof] of chosen) {
  console.log(`\n── ${each}: ${proof.description}`);
  await proof.run(args, checks).catch((error: unknown) => {
    console.error(error);
    checks.check(`${each} ran to its end`, false);
  });
}
console.log(`\n${checks.counts.passed} passed, ${checks.counts.failed} failed`);
process.exit(checks.counts.failed ? 1 : 0);
