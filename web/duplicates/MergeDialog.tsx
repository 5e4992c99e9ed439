import { useId, useState } from 'react';
import type { DuplicateRecord } from '#contract/duplicates/duplicates.calls.ts';
import {
  chooseFields,
  MERGE_FIELD_LABEL,
  type MergeChoice,
  type MergeField,
  mergeField,
  UNMERGE_DAYS,
} from '#contract/duplicates/merge.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { useMerge } from './duplicates.data.ts';

interface Props {
  records: DuplicateRecord[];
  onClose: () => void;
  /** As in `Dialog`. */
  onTriggerRemoved: () => void;
}

/** Chooses each value of the business that the records become. */
export function MergeDialog({ records, onClose, onTriggerRemoved }: Props) {
  const [choice, setChoice] = useState<MergeChoice>(() => chooseFields(records));
  // Set at once: a double click would come before the mutation's own isPending.
  const [busy, setBusy] = useState(false);
  const merge = useMerge();
  const different = mergeField.options.filter((field) => new Set(records.map((record) => record[field])).size > 1);
  const confirm = () => {
    setBusy(true);
    const businessIds = records.map(({ id }) => id);
    merge.mutate(
      { keptId: chooseKept(records), businessIds, fields: choice },
      { onSuccess: onClose, onError: () => setBusy(false) },
    );
  };

  return (
    <Dialog
      open
      title={`Merge ${records.length} records?`}
      description={`They become one business. Leads of the same person are joined into one with all notes and activities. You can undo this for ${UNMERGE_DAYS} days.`}
      onClose={() => !busy && onClose()}
      onTriggerRemoved={onTriggerRemoved}
    >
      <div className="flex flex-col gap-4">
        {different.length === 0 && <p className="text-sm">The records have the same values.</p>}
        {different.map((field) => (
          <FieldChoice
            key={field}
            field={field}
            records={records}
            chosen={choice[field]}
            onChoose={(id) => setChoice((current) => ({ ...current, [field]: id }))}
          />
        ))}
      </div>
      <DialogActions>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button busy={busy} onClick={confirm}>
          {busy ? 'Merging...' : 'Merge'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ChoiceProps {
  field: MergeField;
  records: DuplicateRecord[];
  chosen: number;
  onChoose: (businessId: number) => void;
}

/** The values of one field, each once. */
function FieldChoice({ field, records, chosen, onChoose }: ChoiceProps) {
  const name = useId();
  const chosenValue = records.find(({ id }) => id === chosen)?.[field];
  const options = records.filter((record, at) => records.findIndex((each) => each[field] === record[field]) === at);
  return (
    <fieldset>
      <legend className="text-sm font-medium">{MERGE_FIELD_LABEL[field]}</legend>
      {options.map((record) => (
        <label key={record.id} className="flex min-h-11 items-center gap-2 text-sm sm:min-h-8">
          <input
            type="radio"
            name={name}
            className="size-5 shrink-0"
            checked={record[field] === chosenValue}
            onChange={() => onChoose(record.id)}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {record[field] ?? <span className="text-muted">None</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The record whose row stays: the one with most leads, whose links then keep working. */
const chooseKept = (records: DuplicateRecord[]) =>
  records.reduce((kept, record) => (record.leads.length > kept.leads.length ? record : kept)).id;
