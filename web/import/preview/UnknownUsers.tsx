import type { ImportChoices, ImportPreview } from '#contract/import/import-job.ts';
import { formatRows } from '#web/import/describe-import.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { toUserOption, useUsers } from '#web/users/users.data.ts';

const REFUSE = 'refuse';

interface Props {
  users: ImportPreview['unknownUsers'];
  replacements: ImportChoices['replacements'];
  onChange: (replacements: ImportChoices['replacements']) => void;
}

/** The names in the User column that are no active user, each with the user who gets its rows instead. */
export function UnknownUsers({ users, replacements, onChange }: Props) {
  const accounts = useUsers();
  const options = [
    { value: REFUSE, label: 'Refuse these rows' },
    ...(accounts.data ?? []).filter(({ active }) => active).map(toUserOption),
  ];
  const choose = (username: string, value: string) => {
    const others = replacements.filter((each) => each.username !== username);
    onChange(value === REFUSE ? others : [...others, { username, userId: Number(value) }]);
  };
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h3 className="font-semibold">Unknown users</h3>
        <p className="text-sm text-muted">These names in the User column are no active users. Who gets their rows?</p>
      </div>
      {accounts.isError && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-danger-text">
          Users could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void accounts.refetch()}>
            Try Again
          </Button>
        </div>
      )}
      <ul className="divide-y divide-line rounded-md border border-line">
        {users.map(({ username, rows }) => (
          <li key={username} className="grid items-center gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_18rem]">
            <p className="text-sm [overflow-wrap:anywhere]">
              <span className="font-medium">{username}</span> <span className="text-muted">({formatRows(rows)})</span>
            </p>
            <SelectField
              label={`Rows of ${username} go to`}
              labelHidden
              options={options}
              value={String(replacements.find((each) => each.username === username)?.userId ?? REFUSE)}
              onChange={({ currentTarget }) => choose(username, currentTarget.value)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
