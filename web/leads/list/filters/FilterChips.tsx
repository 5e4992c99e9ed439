import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { ATTENTION_LABEL } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Chip } from '#web/kit/ui/Chip.tsx';
import { useListedUsers } from '#web/leads/list/list.data.ts';
import { DEFAULT_STATE, type ListState } from '#web/leads/list/list-state.ts';
import { describeMoreFilters } from './more-filters.ts';
import { useFilterWords } from './use-filter-words.ts';

interface Props {
  state: ListState;
  viewer: Viewer;
  onChange: (change: Partial<ListState>) => void;
  /** Undefined where the filter panel has this button. */
  onReset: (() => void) | undefined;
}

/** The filters in use, each with a button that removes it. */
export function FilterChips({ state, viewer, onChange, onReset }: Props) {
  const words = useFilterWords();
  const { user, status, tags, town, attention, notification, changes } = state;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label="Filters in use" className="flex flex-wrap items-center gap-2">
      {notification > 0 && <FilterChip onRemove={() => onChange({ notification: 0 })}>Assigned together</FilterChip>}
      {changes && <FilterChip onRemove={() => onChange({ changes: '' })}>Changed together</FilterChip>}
      {user !== 'all' && <UserChip viewer={viewer} userId={user} onRemove={() => onChange({ user: 'all' })} />}
      {status.map((each) => (
        <FilterChip key={each} onRemove={() => onChange({ status: status.filter((other) => other !== each) })}>
          {`Status: ${LEAD_STATUS_LABEL[each]}`}
        </FilterChip>
      ))}
      {tags.map((tag) => (
        <FilterChip key={tag} onRemove={() => onChange({ tags: tags.filter((other) => other !== tag) })}>
          {`Tag: ${tag}`}
        </FilterChip>
      ))}
      {town !== 'all' && <FilterChip onRemove={() => onChange({ town: 'all' })}>{`Town: ${town}`}</FilterChip>}
      {attention !== 'all' && (
        <FilterChip onRemove={() => onChange({ attention: 'all' })}>{ATTENTION_LABEL[attention]}</FilterChip>
      )}
      {describeMoreFilters(state, words).map(({ label, remove }) => (
        <FilterChip key={label} onRemove={() => onChange(remove)}>
          {label}
        </FilterChip>
      ))}
      {state.hideClosed !== DEFAULT_STATE.hideClosed && (
        <FilterChip onRemove={() => onChange({ hideClosed: DEFAULT_STATE.hideClosed })}>With closed leads</FilterChip>
      )}
      {state.archived && <FilterChip onRemove={() => onChange({ archived: false })}>With archived leads</FilterChip>}
      {state.existing && (
        <FilterChip onRemove={() => onChange({ existing: false })}>With existing customers</FilterChip>
      )}
      {onReset && (
        <Button variant="ghost" size="sm" onClick={onReset}>
          Reset Filters
        </Button>
      )}
    </div>
  );
}

function UserChip({ viewer, userId, onRemove }: { viewer: Viewer; userId: number; onRemove: () => void }) {
  const user = useListedUsers(viewer).find(({ id }) => id === userId);
  return <FilterChip onRemove={onRemove}>{`User: ${user ? user.fullName || user.username : userId}`}</FilterChip>;
}

function FilterChip({ children, onRemove }: { children: string; onRemove: () => void }) {
  return (
    <Chip removeLabel={`Remove filter: ${children}`} onRemove={onRemove}>
      {children}
    </Chip>
  );
}
