// npm run prove -- NAME: shows on the built product (npm run build) that something holds which takes too long for npm test.

import { database } from './prove/database.ts';
import { diskFull } from './prove/disk-full.ts';
import { kill } from './prove/kill.ts';
import { powerCut } from './prove/power-cut.ts';
import { createChecks, type Proof } from './prove/proof.ts';
import { scaleOut } from './prove/scale-out.ts';
import { soak } from './prove/soak.ts';

const PROOFS: Record<string, Proof> = {
  soak,
  'scale-out': scaleOut,
  database,
  'disk-full': diskFull,
  kill,
  'power-cut': powerCut,
};

const [name = '', ...args] = process.argv.slice(2);
const chosen = name === 'all' ? Object.keys(PROOFS) : [name];
if (!chosen.every((each) => Object.hasOwn(PROOFS, each))) {
  console.error('Name one of these, or "all":\n');
  for (const [each, { says }] of Object.entries(PROOFS)) console.error(`  ${each.padEnd(20)} ${says}`);
  process.exit(name ? 1 : 0);
}

const checks = createChecks();
for (const each of chosen) {
  console.log(`\n── ${each}: ${PROOFS[each]?.says}`);
  await PROOFS[each]?.run(args, checks).catch((error: unknown) => {
    console.error(error);
    checks.holds(`${each} came to its end`, false);
  });
}
console.log(`\n${checks.held} held, ${checks.failed} failed`);
process.exit(checks.failed ? 1 : 0);
