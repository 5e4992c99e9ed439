import { useState } from 'react';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { readValue } from '#contract/leads/own-fields/own-field.ts';
import { Form } from '#web/kit/form.tsx';
import { formatCounted } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { OWN_FIELD_VIEWS } from '#web/leads/own-field-views.tsx';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { type BulkLeads, countBulkLeads, useBulkSetField } from './bulk.data.ts';

interface Props {
  leads: BulkLeads;
  onDone: () => void;
  onClose: () => void;
  onTriggerRemoved: () => void;
}

/** What has to be corrected first. */
interface Wrong {
  of: 'field' | 'value';
  message: string;
}

const CHANGES = [
  { value: 'set', label: 'Set a value' },
  { value: 'clear', label: 'Clear the value' },
];

/** Sets or clears one field of the team's own. */
export function BulkFieldDialog({ leads, onDone, onClose, onTriggerRemoved }: Props) {
  const fields = useOwnFields().filter(({ archived }) => !archived);
  const [fieldId, setFieldId] = useState(fields.length === 1 ? String(fields[0]?.id) : '');
  const [change, setChange] = useState('set');
  const [text, setText] = useState('');
  const [error, setError] = useState<Wrong>();
  const setOwnField = useBulkSetField();
  const busy = setOwnField.isPending;
  const field = fields.find(({ id }) => String(id) === fieldId);
  // The name of one that is archived or deleted while the dialog is open.
  const [name, setName] = useState('');
  if (field && field.name !== name) setName(field.name);
  const Control = field && OWN_FIELD_VIEWS[field.type].Control;

  const findChange = (): Wrong | { fieldId: number; value: OwnValue | null } => {
    if (!field) return { of: 'field', message: 'Please choose a field' };
    if (change === 'clear') return { fieldId: field.id, value: null };
    const read = readValue(field, text);
    if ('error' in read) return { of: 'value', message: read.error };
    if (read.value === null) return { of: 'value', message: 'Please enter a value' };
    return { fieldId: field.id, value: read.value };
  };
  const submit = () => {
    const found = findChange();
    setError('of' in found ? found : undefined);
    if (!('of' in found)) setOwnField.mutate({ ...leads, ...found }, { onSuccess: onDone });
  };
  const chooseField = (id: string) => {
    setFieldId(id);
    // What is typed for one field may be no value of another.
    setText('');
    setError(undefined);
  };
  const type = (next: string) => {
    setText(next);
    setError(undefined);
  };

  return (
    <Dialog
      open
      title="Set Field"
      description={`Changes one field of ${formatCounted(countBulkLeads(leads), 'selected business', 'selected businesses')}.`}
      onClose={() => !busy && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <Form
        onSubmit={async (event) => {
          event.preventDefault();
          if (!busy) submit();
        }}
      >
        <SelectField
          label="Field"
          placeholder="Choose a field"
          options={fields.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={field ? fieldId : ''}
          error={error?.of === 'field' ? error.message : undefined}
          onChange={({ target }) => chooseField(target.value)}
        />
        {fieldId && !field && (
          <div role="status" className="flex flex-col gap-2 text-sm">
            <p>
              “{name}” was archived or deleted meanwhile, so that it cannot be set.
              {text && ' This is what you typed:'}
            </p>
            {text && (
              <p className="w-full rounded-md bg-sunken px-3 py-2 whitespace-pre-line [overflow-wrap:anywhere]">
                {text}
              </p>
            )}
          </div>
        )}
        <SelectField
          label="Change"
          options={CHANGES}
          value={change}
          onChange={({ target }) => {
            setChange(target.value);
            setError(undefined);
          }}
        />
        {field && Control && change === 'set' && (
          <Control
            field={field}
            hint={field.help}
            value={text}
            error={error?.of === 'value' ? error.message : undefined}
            onChange={type}
          />
        )}
        <DialogActions>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            {change === 'clear' ? 'Clear value' : 'Set value'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
