import { LEAD_STATUS_LABEL, MAX_TAGS } from '#contract/leads/lead.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { useListedUsers, useRetryOptions, useStatuses, useTags, useTowns } from '#web/leads/list/list.data.ts';
import type { ListState } from '#web/leads/list/list-state.ts';
import type { ChangeList } from '#web/leads/list/use-list-state.ts';
import { MoreFiltersButton } from './MoreFiltersButton.tsx';
import { MultiChoice } from './MultiChoice.tsx';

interface Props {
  id: string;
  state: ListState;
  viewer: OwnUser;
  onChange: ChangeList;
  onReset: () => void;
}

/** Shown while several statuses are chosen, which is done in More Filters. */
const SEVERAL = 'several';

const TAG_WORDS = { one: 'tag', several: 'tags', none: 'No lead has a tag yet.', search: 'Search tags' };
const toOwnOption = (value: string) => ({ value, label: value });

export function LeadFilters({ id, state, viewer, onChange, onReset }: Props) {
  const statuses = useStatuses(state);
  const towns = useTowns(state).data ?? [];
  const tags = useTags(state).data ?? [];
  const retry = useRetryOptions(state, viewer);
  // A chosen value stays an option, even where no lead has it any more.
  const townOptions = state.town === 'all' || towns.includes(state.town) ? towns : [...towns, state.town];
  const statusOptions = [...new Set([...statuses, ...state.status])];
  const severalStatuses = state.status.length > 1;

  return (
    <section
      id={id}
      aria-label="Filters"
      className="flex flex-wrap items-center gap-x-3 gap-y-3 rounded-lg border border-line bg-surface p-3 shadow-card"
    >
      <div className="grid grow basis-[28rem] gap-2 max-md:basis-full sm:grid-cols-2 lg:grid-cols-[1.2fr_1.2fr_1fr_1fr]">
        <UserFilter state={state} viewer={viewer} onChange={onChange} />
        <SelectField
          label="Lead Status"
          labelHidden
          value={severalStatuses ? SEVERAL : (state.status[0] ?? 'all')}
          options={[
            { value: 'all', label: 'All Statuses' },
            ...(severalStatuses ? [{ value: SEVERAL, label: `${state.status.length} statuses` }] : []),
            ...statusOptions.map((value) => ({ value, label: LEAD_STATUS_LABEL[value] })),
          ]}
          onChange={({ target }) => onChange({ status: statusOptions.filter((status) => status === target.value) })}
        />
        <MultiChoice
          label="Custom Tags"
          labelHidden
          words={TAG_WORDS}
          max={MAX_TAGS}
          options={tags.map(toOwnOption)}
          selected={state.tags}
          onChange={(tags) => onChange({ tags })}
        />
        <SelectField
          label="UK Town"
          labelHidden
          value={state.town}
          options={[{ value: 'all', label: 'All Towns' }, ...townOptions.map((value) => ({ value, label: value }))]}
          onChange={({ target }) => onChange({ town: target.value })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Switch
          label="Hide Closed Leads"
          checked={state.hideClosed}
          onChange={({ target }) => onChange({ hideClosed: target.checked })}
        />
        <Switch
          label="Show Archived"
          checked={state.archived}
          onChange={({ target }) => onChange({ archived: target.checked })}
        />
        <Switch
          label="Show Existing Customers"
          checked={state.existing}
          onChange={({ target }) => onChange({ existing: target.checked })}
        />
        <MoreFiltersButton state={state} statuses={statusOptions} onChange={onChange} />
        <Button variant="ghost" size="sm" onClick={onReset}>
          Reset Filters
        </Button>
      </div>
      {retry && <LoadError onRetry={retry}>Some choices could not be loaded.</LoadError>}
    </section>
  );
}

/** Admins list all leads, managers their own or those of the team; the leads of other users are always their own. */
function UserFilter({ state: { team, user }, viewer, onChange }: Pick<Props, 'state' | 'viewer' | 'onChange'>) {
  const users = useListedUsers(viewer);
  const admin = viewer.role === 'admin';
  const value = admin || team ? user : viewer.id;
  const listed = users.filter(({ id }) => admin || id !== viewer.id);
  const isKnown = value === 'all' || [...listed, viewer].some(({ id }) => id === value);
  const choose = (value: string) => {
    if (!admin && value === String(viewer.id)) return onChange({ team: false, user: 'all' });
    onChange({ ...(!admin && { team: true }), user: value === 'all' ? 'all' : Number(value) });
  };
  return (
    <SelectField
      label="Assigned User"
      labelHidden
      value={String(value)}
      options={[
        ...(admin ? [] : [toOption(viewer)]),
        ...(viewer.role === 'user' ? [] : [{ value: 'all', label: 'All Users' }]),
        ...listed.map(toOption),
        ...(isKnown ? [] : [{ value: String(value), label: `User ${value}` }]),
      ]}
      disabled={viewer.role === 'user'}
      onChange={({ target }) => choose(target.value)}
    />
  );
}

const toOption = ({ id, fullName, username }: Pick<OwnUser, 'id' | 'fullName' | 'username'>) => ({
  value: String(id),
  label: fullName || username,
});
