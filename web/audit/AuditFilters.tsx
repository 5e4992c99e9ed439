import type { RefObject } from 'react';
import { AUDIT_EVENT_LABEL, type AuditEvent, auditEvent } from '#contract/audit/audit.ts';
import { FIRST_DAY, LAST_DAY } from '#contract/calendar-day.ts';
import { TextField } from '#web/kit/ui/Input.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';
import { type ChangeOptions, useTypingStep } from '#web/kit/url-state.ts';
import { toUserOption, useUsers } from '#web/users/users.data.ts';
import type { AuditFilter } from './audit-filter.ts';
import { formatDeletedUser } from './format-person.ts';

const EVENT_OPTIONS = [
  { value: '', label: 'All events' },
  ...auditEvent.options.map((value) => ({ value, label: AUDIT_EVENT_LABEL[value] })),
];

interface Props {
  filter: AuditFilter;
  onFilter: (change: AuditFilter, options?: ChangeOptions) => void;
  personField: RefObject<HTMLSelectElement | null>;
}

export function AuditFilters({ filter, onFilter, personField }: Props) {
  const typing = useTypingStep();
  const people = usePeople(filter.person);
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search>
    <div role="search" aria-label="Audit log" className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:max-w-3xl">
      <SelectField
        className="max-sm:col-span-2"
        label="Event"
        options={EVENT_OPTIONS}
        value={filter.event ?? ''}
        // The value is one of the options above.
        onChange={({ target }) => onFilter({ event: (target.value as AuditEvent) || undefined })}
      />
      <SelectField
        ref={personField}
        label="Person"
        options={people.options}
        error={people.error}
        value={filter.person ?? ''}
        onChange={({ target }) => onFilter({ person: Number(target.value) || undefined })}
      />
      <TextField
        label="Day"
        type="date"
        min={FIRST_DAY}
        max={LAST_DAY}
        value={filter.day ?? ''}
        onChange={({ target }) => onFilter({ day: target.value || undefined }, typing.next())}
        onBlur={typing.end}
      />
    </div>
  );
}

/** The options of the field. A chosen person without an account is one of them. */
function usePeople(chosen: number | undefined) {
  const { data: users, isError } = useUsers();
  const options = [{ value: '', label: 'All people' }, ...(users ?? []).map(toUserOption)];
  if (chosen && !options.some(({ value }) => value === String(chosen))) {
    options.push({ value: String(chosen), label: users ? formatDeletedUser(chosen) : `user ${chosen}` });
  }
  return { options, error: isError ? 'Users could not be loaded' : undefined };
}
