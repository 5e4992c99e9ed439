import type { Viewer } from '#contract/users/user.ts';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { toUserOption } from '#web/users/users.data.ts';
import { usePeople } from './people.data.ts';

interface Props {
  viewer: Viewer;
  /** Undefined for the whole team. */
  person: number | undefined;
  onChange: (person: number | undefined) => void;
}

/** The whole team or one user, for managers and admins. */
export function PersonField({ viewer, person, onChange }: Props) {
  const { people, failed } = usePeople(viewer);
  const options = [{ value: '', label: 'The whole team' }, ...people.map(toUserOption)];
  if (person && !people.some(({ id }) => id === person))
    options.push({ value: String(person), label: `User ${person}` });
  return (
    <SelectField
      label="Person"
      options={options}
      error={failed && 'Users could not be loaded'}
      onRetry={() => void failed?.refetch()}
      value={String(person ?? '')}
      onChange={({ target }) => onChange(Number(target.value) || undefined)}
    />
  );
}
