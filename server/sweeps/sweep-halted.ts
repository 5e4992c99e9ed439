import { Refusal } from '#contract/errors.ts';

/** Thrown inside a run that is to make no further call: paused, cancelled, or its process stops. */
export class SweepHalted extends Refusal {
  constructor() {
    super('shutting_down', 'The sweep was interrupted.');
  }
}
