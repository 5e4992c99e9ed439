import * as auth from './auth/auth.calls.ts';
import type { AnyCall } from './call.ts';
import * as users from './users/users.calls.ts';

const callsOf = (module: Record<string, unknown>) =>
  Object.values(module).filter(
    (value): value is AnyCall => typeof value === 'object' && value !== null && 'path' in value,
  );

/** Every call of the product by feature, for documentation and for the tests that must miss none. */
export const CALLS: Record<string, AnyCall[]> = {
  Accounts: callsOf(auth),
  Users: callsOf(users),
};
