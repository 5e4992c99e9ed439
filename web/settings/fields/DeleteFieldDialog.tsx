import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { formatCounted } from '#web/kit/format.ts';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { AlertDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useDeleteField, useValueCount } from '#web/settings/own-fields.data.ts';

interface Props {
  field: OwnField;
  onClose: () => void;
}

/** Says how many leads lose a value before a field is deleted for good. */
export function DeleteFieldDialog({ field, onClose }: Props) {
  const count = useValueCount(field.id);
  const remove = useDeleteField(field);
  const leads = count.data?.leads;
  const { progress } = remove;
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={`Delete “${field.name}” for good?`}
      confirmLabel="Delete for good"
      busy={remove.isPending || count.isFetching || leads === undefined}
      onConfirm={() =>
        leads !== undefined && remove.mutate(leads, { onSuccess: onClose, onError: () => void count.refetch() })
      }
      description={
        <div className="flex flex-col gap-2">
          <p>
            {leads === undefined && !count.isError && 'Counting the leads that have a value…'}
            {leads === 0 && 'No lead has a value.'}
            {leads !== undefined && leads > 0 && `${formatCounted(leads, 'lead loses', 'leads lose')} a value.`}
          </p>
          <p>This cannot be undone: the values are also deleted from the history of the leads.</p>
          {count.isError && <Notice tone="danger">The leads could not be counted: {count.error.message}</Notice>}
          {progress && (
            <p role="status">
              {progress.done} of {formatCounted(progress.total, 'lead')} done. It goes on if you leave this page.
            </p>
          )}
        </div>
      }
    />
  );
}
