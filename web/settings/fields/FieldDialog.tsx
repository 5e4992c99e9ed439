import { type FormEvent, useState } from 'react';
import { FIELD_TYPE_KEYS, FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import { fieldTypeKey, newOwnField, type OwnField, ownFieldChanges } from '#contract/leads/own-fields/own-field.ts';
import { ApiError } from '#web/kit/api.ts';
import { firstErrors } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useChangeField, useCreateField } from '#web/settings/own-fields.data.ts';
import { ChoicesField, type EditedChoice } from './ChoicesField.tsx';
import { FieldUses } from './FieldUses.tsx';
import { findChanges } from './find-changes.ts';

interface Props {
  /** Undefined for a new one. */
  field?: OwnField | undefined;
  onClose: () => void;
}

const TYPES = FIELD_TYPE_KEYS.map((value) => ({ value, label: FIELD_TYPES[value].label }));
const NEW = {
  ...{ name: '', type: 'text', help: '', unit: '', choices: [] },
  ...{ requiredToWin: false, inProfile: true, inTable: true, onCard: false, inForm: false },
} satisfies Partial<OwnField>;

/** Adds a field, or changes one. */
export function FieldDialog({ field, onClose }: Props) {
  // Others may change it while it is edited.
  const [opened] = useState(field);
  const [edited, setEdited] = useState<Omit<OwnField, 'id' | 'archived' | 'choices'>>(field ?? NEW);
  const [choices, setChoices] = useState<EditedChoice[]>(() =>
    (field?.choices ?? []).flatMap(({ id, label, retired }) => (retired ? [] : [{ key: id, id, label }])),
  );
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const create = useCreateField();
  const change = useChangeField(field?.id ?? 0);
  const busy = create.isPending || change.isPending;
  const { setting } = FIELD_TYPES[edited.type];

  const edit = (part: Partial<typeof edited>) => setEdited({ ...edited, ...part });
  const chooseType = (text: string) => {
    const type = fieldTypeKey.parse(text);
    edit({ type });
    if (FIELD_TYPES[type].setting === 'choices' && !choices.length) setChoices([{ key: 'first', label: '' }]);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const { name, type, help, unit, requiredToWin, inProfile, inTable, onCard, inForm } = edited;
    const common = {
      ...{ name, help, unit: setting === 'unit' ? unit : '', requiredToWin, inProfile, inTable, onCard, inForm },
      ...(setting === 'choices' && { choices: choices.map(({ id, label }) => (id ? { id, label } : { label })) }),
    };
    try {
      if (field && opened) {
        const changes = findChanges(common, { opened, now: field });
        if (!Object.keys(changes).length) return onClose();
        const parsed = ownFieldChanges.safeParse(changes);
        if (!parsed.success) return setErrors(firstErrors(parsed.error.issues));
        setErrors({});
        await change.mutateAsync(changes);
      } else {
        const body = { ...common, type };
        const parsed = newOwnField.safeParse(body);
        if (!parsed.success) return setErrors(firstErrors(parsed.error.issues));
        setErrors({});
        await create.mutateAsync(body);
      }
      onClose();
    } catch (error) {
      // The mutation's own toast shows the error as well.
      if (!(error instanceof ApiError)) return;
      setErrors(error.code === 'duplicate_name' ? { name: error.reason } : firstErrors(error.errors));
    }
  };

  const label = FIELD_TYPES[edited.type].label;
  return (
    <Dialog
      open
      title={field ? `Edit “${field.name}”` : 'Add field'}
      description={field ? `${label}. The type of a field stays.` : undefined}
      onClose={() => !busy && onClose()}
    >
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={60}
          value={edited.name}
          error={errors.name}
          onChange={({ target }) => edit({ name: target.value })}
        />
        {!field && (
          <SelectField
            label="Type"
            options={TYPES}
            value={edited.type}
            hint="It cannot be changed later."
            onChange={({ target }) => chooseType(target.value)}
          />
        )}
        {setting === 'unit' && (
          <TextField
            label="Unit"
            autoComplete="off"
            maxLength={20}
            hint="Shown after the number: tables, kW, %"
            value={edited.unit}
            error={errors.unit}
            onChange={({ target }) => edit({ unit: target.value })}
          />
        )}
        {setting === 'choices' && (
          <ChoicesField
            choices={choices}
            retired={opened?.choices ?? []}
            error={errors.choices}
            onChange={setChoices}
          />
        )}
        <TextField
          label="Help text"
          autoComplete="off"
          maxLength={200}
          hint="Shown where the field is edited."
          value={edited.help}
          error={errors.help}
          onChange={({ target }) => edit({ help: target.value })}
        />
        <FieldUses uses={edited} onChange={edit} />
        <DialogActions>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            {field ? 'Save' : 'Add field'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
