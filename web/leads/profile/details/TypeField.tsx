import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import type { LeadBusiness } from '#contract/leads/lead.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { useChangeBusinessType } from '#web/leads/profile/profile.data.ts';
import { GUESSED } from '#web/leads/TypeOfBusiness.tsx';

interface Props {
  business: LeadBusiness;
  mayChange: boolean;
}

/** The type of the business, with a button to correct it. */
export function TypeField({ business, mayChange }: Props) {
  const [editing, setEditing] = useState(false);
  const wasEditing = useRef(false);
  const open = (next: boolean) => {
    wasEditing.current = editing;
    setEditing(next);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-t border-line py-2">
      <dt className="col-start-1 text-sm text-muted">Type of business</dt>
      <dd className={editing ? 'col-span-2 pb-1' : 'contents'}>
        {editing ? (
          <TypeEditor business={business} onClose={() => open(false)} />
        ) : (
          <>
            <span className="col-start-1 min-w-0 [overflow-wrap:anywhere]">
              {business.type ?? <span className="text-muted">Not known</span>}
              {business.typeGuessed && <span className="text-sm text-muted"> ({GUESSED.toLowerCase()})</span>}
            </span>
            {mayChange && (
              <Button
                ref={(button) => {
                  if (wasEditing.current) button?.focus();
                }}
                variant="link"
                size="sm"
                aria-label="Change type of business"
                className="col-start-2 row-span-2 row-start-1 -mr-3"
                onClick={() => open(true)}
              >
                Change
              </Button>
            )}
          </>
        )}
      </dd>
    </div>
  );
}

const NONE = { value: '', label: 'None of these' };
const OPTIONS = [
  NONE,
  ...[...BUSINESS_TYPES].sort((a, b) => a.localeCompare(b, 'en')).map((value) => ({ value, label: value })),
];

function TypeEditor({ business, onClose }: { business: LeadBusiness; onClose: () => void }) {
  const [chosen, setChosen] = useState(business.type ?? NONE.value);
  const { mutate, isPending } = useChangeBusinessType(business.id);
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate(chosen || null, { onSuccess: onClose });
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // The key is not the one that leaves the profile.
    event.preventDefault();
    if (!isPending) onClose();
  };
  return (
    <form onSubmit={save} onKeyDown={closeOnEscape} className="flex flex-wrap items-start gap-2">
      <SelectField
        autoFocus
        className="min-w-48 flex-1"
        label="Type of business"
        labelHidden
        options={OPTIONS}
        value={chosen}
        disabled={isPending}
        onChange={({ target }) => setChosen(target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" busy={isPending}>
          Save
        </Button>
        <Button variant="secondary" disabled={isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
