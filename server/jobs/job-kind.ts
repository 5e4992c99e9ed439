import type { Db } from '#server/kit/db/db.ts';
import type { JobRecord, LockedJob, Progress } from './jobs.sql.ts';

/** What is to be done with a kind of job. Each kind is named and described once, where its feature is. */
export interface JobKind<Input = never> {
  kind: string;
  /** Does the next part, in the transaction that holds the job's row. A refusal ends the job with its message. */
  step: (tx: Db, job: LockedJob & { input: Input }) => Promise<Step<Input>>;
  /** In the transaction that ends the job, with the reason of one that is stopped. */
  onEnd?: (tx: Db, job: JobRecord & { input: Input }, reason?: unknown) => Promise<void>;
  /** Its user may end it between two steps: what is done makes sense without the rest. */
  canCancel?: boolean;
  /** A step waits for other machines, or reads a whole file: it runs beside the other kinds, not in turn with them. */
  longSteps?: boolean;
  /** The product does it by itself, this long after it was done the last time. */
  everyMs?: number;
}

/** How a step ended. Without `end` another one follows, after the pause. */
export interface Step<Input> extends Omit<Progress, 'state' | 'input'> {
  input?: Input;
  end?: boolean;
  pauseMs?: number;
}

/** A kind that the runner can call: only this product writes the table, so that the input of a kind is the kind's own. */
export const defineJob = <Input>(kind: JobKind<Input>): JobKind => kind as unknown as JobKind;
