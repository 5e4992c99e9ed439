/** A property of the built product that takes minutes to show. Arguments are sizes, so that a short run is possible. */
export interface Proof {
  description: string;
  run(args: string[], checks: Checks): Promise<void>;
}

export type Checks = ReturnType<typeof createChecks>;

export function createChecks() {
  const counts = { passed: 0, failed: 0 };
  return {
    counts,
    /** Prints whether the property holds, and what was found. */
    check(property: string, holds: boolean, found = '') {
      counts[holds ? 'passed' : 'failed'] += 1;
      console.log(`${holds ? '✓' : '✗'} ${property}${found && `  (${found})`}`);
    },
  };
}
