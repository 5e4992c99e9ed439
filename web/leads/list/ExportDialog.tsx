import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { CountedProgress } from '#web/kit/ui/JobProgress.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Dialog, DialogActions } from '#web/kit/ui/overlays/Dialog.tsx';
import { formatLeadCount, useExportLeads, useLeadCount } from './export.data.ts';
import { type ListState, toExportQuery } from './list-state.ts';

/** Shows how many leads the file will have. Closing the dialog aborts the download. */
export function ExportDialog({ state, onClose }: { state: ListState; onClose: () => void }) {
  const query = toExportQuery(state, useViewer());
  const count = useLeadCount(query);
  const { exporting, rows } = useExportLeads();
  const busy = exporting.isPending;

  return (
    <Dialog
      open
      title="Export Leads"
      description="A CSV file of all leads that match the filters in use, on every page."
      onClose={onClose}
    >
      {count.isPending && <Loading label="Counting leads…" />}
      {count.isError && (
        <ErrorState title="Leads could not be counted" onRetry={() => void count.refetch()}>
          {count.error.message}
        </ErrorState>
      )}
      {count.data && (
        <div className="flex flex-col gap-4">
          <FileSize total={count.data.total} />
          {busy && <CountedProgress label="Leads exported" done={rows} total={Math.max(rows, count.data.total)} />}
          <DialogActions>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              busy={busy}
              disabled={count.data.total === 0}
              onClick={() => exporting.mutate(query, { onSuccess: onClose })}
            >
              {busy ? 'Exporting...' : 'Export CSV'}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

function FileSize({ total }: { total: number }) {
  if (total === 0) return <Notice>No lead matches the filters in use, so there is nothing to export.</Notice>;
  return (
    <p>
      The file will hold <strong>{formatLeadCount(total)}</strong>.
    </p>
  );
}
