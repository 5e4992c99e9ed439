import type { SsoFailure } from '#contract/auth/sso.calls.ts';

/** A single sign-on that ended without a session. Its cause is for the log, and holds no secret. */
export class SsoError extends Error {
  override name = 'SsoError';
  constructor(
    readonly failure: SsoFailure,
    readonly details: { reason?: string; userId?: number } = {},
  ) {
    super(`single sign-on: ${failure}`);
  }
}
