export type AccountState = 'locked' | 'inactive' | 'active';

export const ACCOUNT_STATE_LABEL: Record<AccountState, string> = {
  locked: 'Locked',
  inactive: 'Inactive',
  active: 'Active',
};

/** What an account is called in the user table: locked comes before inactive, inactive before active. */
export function accountState(account: { active: boolean; lockedUntil: string | null }, now: Date): AccountState {
  if (account.lockedUntil && Date.parse(account.lockedUntil) > now.getTime()) return 'locked';
  return account.active ? 'active' : 'inactive';
}
