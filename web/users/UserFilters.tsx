import type { RefObject } from 'react';
import { ACCOUNT_STATE_LABEL, type AccountState } from '#contract/users/account-state.ts';
import { ROLE_LABEL, role } from '#contract/users/user.ts';
import { type ChangeOptions, useTypingHistoryEntry } from '#web/kit/navigation/url-state.ts';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import type { UserFilter } from './find-users.ts';

const STATES: AccountState[] = ['active', 'inactive', 'locked'];

const ROLE_OPTIONS = [
  { value: 'all', label: 'All Roles' },
  ...role.options.map((value) => ({ value, label: ROLE_LABEL[value] })),
];
const STATE_OPTIONS = [
  { value: 'all', label: 'All Statuses' },
  ...STATES.map((value) => ({ value, label: ACCOUNT_STATE_LABEL[value] })),
];

interface Props {
  filter: UserFilter;
  onFilter: (change: Partial<UserFilter>, options?: ChangeOptions) => void;
  searchBox: RefObject<HTMLInputElement | null>;
}

export function UserFilters({ filter, onFilter, searchBox }: Props) {
  const typing = useTypingHistoryEntry();
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div role="search" aria-label="Users" className="grid grid-cols-2 gap-3 sm:grid-cols-[minmax(0,1fr)_11rem_11rem]">
      <TextField
        ref={searchBox}
        className="max-sm:col-span-2"
        label="Search users"
        labelHidden
        type="search"
        placeholder="Search by username, email or name"
        value={filter.q}
        onChange={({ target }) => onFilter({ q: target.value }, typing.next())}
        onBlur={typing.end}
      />
      <SelectField
        label="Filter by role"
        labelHidden
        options={ROLE_OPTIONS}
        value={filter.role}
        // The value is one of the options above.
        onChange={({ target }) => onFilter({ role: target.value as UserFilter['role'] })}
      />
      <SelectField
        label="Filter by status"
        labelHidden
        options={STATE_OPTIONS}
        value={filter.status}
        onChange={({ target }) => onFilter({ status: target.value as UserFilter['status'] })}
      />
    </div>
  );
}
