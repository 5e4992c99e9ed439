import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';

type Uses = Pick<OwnField, 'inProfile' | 'inTable' | 'onCard' | 'inForm' | 'requiredToWin'>;

interface Props {
  uses: Uses;
  onChange: (part: Partial<Uses>) => void;
}

/** Where a field is shown, and when it is asked for. */
export function FieldUses({ uses, onChange }: Props) {
  return (
    <>
      <fieldset className="flex flex-col items-start gap-1">
        <legend className="mb-1 text-sm font-medium">Shown</legend>
        <Checkbox
          label="In the profile"
          checked={uses.inProfile}
          onChange={({ target }) => onChange({ inProfile: target.checked })}
        />
        <Checkbox
          label="As a column of the table"
          checked={uses.inTable}
          onChange={({ target }) => onChange({ inTable: target.checked })}
        />
        <Checkbox
          label="On cards of the board"
          checked={uses.onCard}
          onChange={({ target }) => onChange({ onCard: target.checked })}
        />
      </fieldset>
      <Checkbox
        label="Ask when a business is added"
        checked={uses.inForm}
        onChange={({ target }) => onChange({ inForm: target.checked })}
      />
      <Checkbox
        label="Needed to close a lead as won"
        checked={uses.requiredToWin}
        onChange={({ target }) => onChange({ requiredToWin: target.checked })}
      />
    </>
  );
}
