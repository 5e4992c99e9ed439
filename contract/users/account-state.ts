export type AccountState = 'locked' | 'inactive' | 'active';

export const ACCOUNT_STATE_LABEL: Record<AccountState, string> = {
  locked: 'Locked',
  inactive: 'Inactive',
  active: 'Active',
};

/** The state shown in the user table: locked takes precedence over inactive. */
export function accountState(account: { active: boolean; lockedUntil: string | null }, now: Date): AccountState {
  if (account.lockedUntil && Date.parse(account.lockedUntil) > now.getTime()) return 'locked';
  return account.active ? 'active' : 'inactive';
}
