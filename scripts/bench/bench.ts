import type { Measured } from '../measure/results.ts';

/** One section of the report. Arguments are sizes, so that a short run is possible. */
export interface Bench {
  title: string;
  run(args: string[]): Promise<Measured>;
}
