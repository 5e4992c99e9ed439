import { CHANGE_KIND_LABEL, type ChangeKind, changeKind } from '#contract/changes/change.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { DayField } from '#web/kit/ui/forms/DayField.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { toUserOption, useUsers } from '#web/users/users.data.ts';
import type { ChangesState } from './changes-state.ts';

const KIND_OPTIONS = [
  { value: '', label: 'All kinds' },
  ...changeKind.options.map((value) => ({ value, label: CHANGE_KIND_LABEL[value] })),
];

interface Props {
  viewer: Viewer;
  state: ChangesState;
  onChange: (change: Partial<ChangesState>, options?: ChangeOptions) => void;
}

export function ChangeFilters({ viewer, state, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div role="search" aria-label="Changes" className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(3,minmax(0,14rem))]">
      {viewer.role === 'admin' && <PersonField userId={state.userId} onChange={(userId) => onChange({ userId })} />}
      <SelectField
        label="Kind"
        options={KIND_OPTIONS}
        value={state.kind ?? ''}
        // The value is one of the options above.
        onChange={({ target }) => onChange({ kind: (target.value as ChangeKind) || undefined })}
      />
      <DayField
        label="Day"
        value={state.day ?? ''}
        onChange={(day, options) => onChange({ day: day || undefined }, options)}
      />
    </div>
  );
}

interface PersonProps {
  userId: number | undefined;
  onChange: (userId: number | undefined) => void;
}

function PersonField({ userId, onChange }: PersonProps) {
  const { data: users = [], isLoadingError, refetch } = useUsers();
  const options = [{ value: '', label: 'All people' }, ...users.map(toUserOption)];
  // A link may name a user who is not loaded yet, or was deleted.
  if (userId && !users.some(({ id }) => id === userId))
    options.push({ value: String(userId), label: `User ${userId}` });
  return (
    <SelectField
      label="Person"
      className="max-sm:col-span-2"
      options={options}
      error={isLoadingError ? 'Users could not be loaded' : undefined}
      onRetry={() => void refetch()}
      value={userId ? String(userId) : ''}
      onChange={({ target }) => onChange(Number(target.value) || undefined)}
    />
  );
}
