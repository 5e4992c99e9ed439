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
  userIds: number[];
  fallbackUserId: number | undefined;
}

export const SHARE_OUT_WAYS: readonly { value: ShareOutWay; label: string }[] = [
  { value: 'territory', label: 'Each to its own territory' },
  { value: 'load', label: 'By open leads' },
  { value: 'goal', label: 'By goal left' },
];

/** Undefined until enough is chosen, and for ways that are none of the above. */
export function toAssignmentChoice({
  way,
  userIds,
  fallbackUserId,
}: ShareOutDraft<string>): AssignmentChoice | undefined {
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
}

/** Asks who gets businesses or leads: the owners of their districts, or several users evenly. */
export function ShareOutFields<Way extends string>({ label, ways, users, draft, onChange }: Props<Way>) {
  const { way, userIds, fallbackUserId } = draft;
  const toggle = (id: number) =>
    onChange({ ...draft, userIds: userIds.includes(id) ? userIds.filter((other) => other !== id) : [...userIds, id] });
  return (
    <>
      <SegmentedControl label={label} options={ways} value={way} onValueChange={(way) => onChange({ ...draft, way })} />
      {(way === 'load' || way === 'goal') && (
        <fieldset>
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
        </fieldset>
      )}
      {way === 'territory' && (
        <SelectField
          label="Outside all territories"
          hint="Who gets businesses whose district belongs to no active user."
          placeholder="Select a user"
          options={users}
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
