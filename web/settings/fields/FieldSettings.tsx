import { Plus } from 'lucide-react';
import { useState } from 'react';
import { MAX_OWN_FIELDS, type OwnField } from '#contract/leads/own-fields/own-field.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { useOwnFieldsQuery, useRestoreField } from '#web/settings/own-fields.data.ts';
import { DeleteFieldDialog } from './DeleteFieldDialog.tsx';
import { FieldDialog } from './FieldDialog.tsx';
import { FieldList, FieldSummary } from './FieldList.tsx';

/** The fields of the team's own. */
export function FieldSettings() {
  const { data, isPending, isError, error, refetch } = useOwnFieldsQuery();
  const [editing, setEditing] = useState<OwnField | 'new'>();
  const edited = editing === 'new' ? undefined : (data?.fields.find(({ id }) => id === editing?.id) ?? editing);
  const [deleting, setDeleting] = useState<OwnField>();
  const fields = data?.fields ?? [];
  const active = fields.filter(({ archived }) => !archived);
  const archived = fields.filter((field) => field.archived);
  return (
    <Card>
      <CardTitle>Fields</CardTitle>
      <div className="flex flex-col gap-4">
        <p className="max-w-3xl text-sm text-muted">
          What your team wants to know about a lead besides what Highstreet has: when a contract ends, how many tables
          there are, who supplies it now.
        </p>
        {isPending && <Loading label="Loading the fields…" />}
        {isError && !data && (
          <ErrorState title="The fields could not be loaded" onRetry={() => void refetch()}>
            {error.message}
          </ErrorState>
        )}
        {data && !active.length && <p className="text-sm text-muted">There are no fields yet.</p>}
        {active.length > 0 && <FieldList fields={active} onEdit={setEditing} />}
        {data && (
          <div className="flex flex-wrap items-center gap-3">
            <Button variant="secondary" disabled={fields.length >= MAX_OWN_FIELDS} onClick={() => setEditing('new')}>
              <Plus aria-hidden="true" />
              Add field
            </Button>
            <p className="text-sm text-muted">
              {fields.length} of {MAX_OWN_FIELDS}
              {archived.length > 0 && ', archived ones included'}
            </p>
          </div>
        )}
        {archived.length > 0 && (
          <section aria-labelledby="archived-fields" className="flex flex-col gap-2">
            <h3 id="archived-fields" className="text-sm font-semibold">
              Archived
            </h3>
            <p className="text-sm text-muted">They are hidden; leads keep their values.</p>
            <ul className="divide-y divide-line rounded-md border border-line">
              {archived.map((field) => (
                <ArchivedField key={field.id} field={field} onDelete={() => setDeleting(field)} />
              ))}
            </ul>
          </section>
        )}
      </div>
      {editing && <FieldDialog field={edited} onClose={() => setEditing(undefined)} />}
      {deleting && <DeleteFieldDialog field={deleting} onClose={() => setDeleting(undefined)} />}
    </Card>
  );
}

function ArchivedField({ field, onDelete }: { field: OwnField; onDelete: () => void }) {
  const { mutate: restore, isPending } = useRestoreField();
  return (
    <li className="flex flex-wrap items-center gap-2 py-1 pr-2 pl-4">
      <FieldSummary field={field} />
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Restore ${field.name}`}
        busy={isPending}
        onClick={() => restore(field)}
      >
        Restore
      </Button>
      <Button variant="danger-secondary" size="sm" aria-label={`Delete ${field.name}`} onClick={onDelete}>
        Delete…
      </Button>
    </li>
  );
}
