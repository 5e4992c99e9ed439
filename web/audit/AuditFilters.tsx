import type { RefObject } from 'react';
import { AUDIT_EVENT_LABEL, type AuditEvent, auditEvent } from '#contract/audit/audit.ts';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { DayField } from '#web/kit/ui/forms/DayField.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { toUserOption, useUsers } from '#web/users/users.data.ts';
import { formatDeletedUser } from './AuditTable.tsx';
import type { AuditFilter } from './audit-filter.ts';

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
        onRetry={people.onRetry}
        value={filter.person ?? ''}
        onChange={({ target }) => onFilter({ person: Number(target.value) || undefined })}
      />
      <DayField
        label="Day"
        value={filter.day ?? ''}
        onChange={(day, options) => onFilter({ day: day || undefined }, options)}
      />
    </div>
  );
}

/** The options of the field. A chosen person without an account is one of them. */
function usePeople(chosen: number | undefined) {
  const { data: users, isLoadingError, refetch } = useUsers();
  const options = [{ value: '', label: 'All people' }, ...(users ?? []).map(toUserOption)];
  if (chosen && !options.some(({ value }) => value === String(chosen))) {
    options.push({ value: String(chosen), label: users ? formatDeletedUser(chosen) : `user ${chosen}` });
  }
  const error = isLoadingError ? 'Users could not be loaded' : undefined;
  return { options, error, onRetry: () => void refetch() };
}
