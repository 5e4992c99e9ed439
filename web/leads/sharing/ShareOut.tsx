import type { ReactNode } from 'react';
import { type AssignmentChoice, formatShares, type Share } from '#contract/leads/sharing/assignment.ts';
import { MAX_SHARED_BY } from '#contract/leads/sharing/distribution.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { type Option, SelectField } from '#web/kit/ui/forms/Select.tsx';

export type ShareOutWay = Exclude<AssignmentChoice['way'], 'one'>;

/** What is chosen so far. It stays when the way is changed back and forth. */
export interface ShareOutDraft<Way extends string = ShareOutWay> {
  way: Way;
  /** Of the way "one". */
  userId?: number | undefined;
  userIds: number[];
  fallbackUserId: number | undefined;
}

export const SHARE_OUT_WAYS: readonly { value: ShareOutWay; label: string }[] = [
  { value: 'territory', label: 'Each to its own territory' },
  { value: 'load', label: 'By open leads' },
  { value: 'goal', label: 'By goal left' },
];

/** Undefined until enough is chosen, and for ways of a screen's own. */
export function toAssignmentChoice(draft: ShareOutDraft<string>): AssignmentChoice | undefined {
  const { way, userId, userIds, fallbackUserId } = draft;
  if (way === 'one') return userId === undefined ? undefined : { way, userId };
  if (way === 'territory') return fallbackUserId === undefined ? undefined : { way, fallbackUserId };
  if (way === 'load' || way === 'goal') return userIds.length ? { way, userIds } : undefined;
  return undefined;
}

interface Props<Way extends string> {
  /** What the ways are for. */
  label: string;
  ways: readonly { value: Way; label: string }[];
  /** The active users. */
  users: Option[];
  draft: ShareOutDraft<Way>;
  onChange: (draft: ShareOutDraft<Way>) => void;
  /** What is still to be chosen. */
  error?: string | undefined;
  disabled?: boolean;
}

/** Asks who gets businesses or leads: one user, the owners of their districts, or several users evenly. */
export function ShareOutFields<Way extends string>(props: Props<Way>) {
  const { label, ways, users, draft, onChange, error, disabled } = props;
  const { way, userId, userIds, fallbackUserId } = draft;
  const picker = { placeholder: 'Select a user', options: users, error, disabled };
  const toggle = (id: number) =>
    onChange({ ...draft, userIds: userIds.includes(id) ? userIds.filter((other) => other !== id) : [...userIds, id] });
  return (
    <>
      {/* In a box of its own, it is as wide as its options. */}
      <div>
        <SegmentedControl
          label={label}
          options={ways}
          value={way}
          onValueChange={(way) => onChange({ ...draft, way })}
        />
      </div>
      {(way === 'load' || way === 'goal') && (
        <fieldset disabled={disabled}>
          <legend className="text-sm font-medium">Users</legend>
          <div className="grid max-h-52 overflow-y-auto pt-1 sm:grid-cols-2">
            {users.map(({ value, label }) => (
              <Checkbox
                key={value}
                label={label}
                checked={userIds.includes(Number(value))}
                disabled={!userIds.includes(Number(value)) && userIds.length >= MAX_SHARED_BY}
                onChange={() => toggle(Number(value))}
              />
            ))}
          </div>
          {error && <p className="text-sm text-danger-text">{error}</p>}
        </fieldset>
      )}
      {way === 'one' && (
        <SelectField
          {...picker}
          label="User"
          value={userId === undefined ? '' : String(userId)}
          onChange={({ target }) => onChange({ ...draft, userId: Number(target.value) })}
        />
      )}
      {way === 'territory' && (
        <SelectField
          {...picker}
          label="Outside all territories"
          hint="Who gets businesses whose district belongs to no active user."
          value={fallbackUserId === undefined ? '' : String(fallbackUserId)}
          onChange={({ target }) => onChange({ ...draft, fallbackUserId: Number(target.value) })}
        />
      )}
    </>
  );
}

/** "Grace Okafor 12, Marcus Bell 8, outside all territories: 3 → Olivia Hart" */
export function SharesPreview({
  shares,
  heldText,
}: {
  shares: readonly Share[];
  heldText: (count: number) => ReactNode;
}) {
  const held = shares.reduce((sum, share) => sum + share.held, 0);
  const text = formatShares(shares);
  return (
    <div className="rounded-md bg-sunken px-4 py-3 text-sm">
      <p className="[overflow-wrap:anywhere]">{text || 'There is nothing to give to anyone.'}</p>
      {held > 0 && <p className="text-muted">{heldText(held)}</p>}
    </div>
  );
}
