import { Download } from 'lucide-react';
import { useRef } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import type { listRefusedRows } from '#contract/import/import-jobs.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useUnlockedDrafts } from '#web/auth/unlocked-drafts.ts';
import { saveRefusedRows } from '#web/import/csv-files.ts';
import { formatRows } from '#web/import/describe-import.ts';
import { useImportJob } from '#web/import/import-jobs.data.ts';
import { useDraftKeptToast } from '#web/kit/storage/draft-kept.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { CorrectionGrid } from './CorrectionGrid.tsx';
import {
  correctionDrafts,
  listCorrections,
  toEditableCells,
  useCorrectRows,
  useRefusedRows,
} from './corrections.data.ts';

/** The refused rows of an import, to be corrected without another upload. */
export function CorrectionScreen({ id }: { id: string }) {
  const viewer = useViewer();
  const job = useImportJob(id);
  const refused = useRefusedRows(id);
  useUnlockedDrafts(viewer.id);
  useDraftKeptToast(viewer.id, correctionDrafts(id), 'What you typed is kept in this tab until the row is imported.');
  return (
    <Page
      title={job.data ? `Correct rows of ${job.data.fileName}` : 'Correct rows'}
      back={{ href: `/import/${id}`, label: 'Back to the import' }}
    >
      {refused.isPending && <Loading label="Loading the rows…" />}
      {refused.isLoadingError && (
        <ErrorState title="The rows could not be loaded" onRetry={() => void refused.refetch()}>
          {refused.error.message}
        </ErrorState>
      )}
      {refused.data && <Corrections id={id} refused={refused.data} />}
    </Page>
  );
}

interface Props {
  id: string;
  refused: ResponseBody<typeof listRefusedRows>;
}

function Corrections({ id, refused: { columns, rows } }: Props) {
  const viewer = useViewer();
  const correct = useCorrectRows(id);
  const status = useRef<HTMLParagraphElement>(null);
  const editable = rows.map((row) => ({ ...row, cells: toEditableCells(row, columns) }));

  const submit = () => {
    if (correct.isPending) return;
    correct.mutate(listCorrections(viewer.id, id, editable), {
      // The pressed button disappears with the last row.
      onSuccess: ({ refused, imported }) => refused === 0 && imported === rows.length && status.current?.focus(),
    });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p ref={status} tabIndex={-1} aria-live="polite" className="text-sm">
        {rows.length > 0 ? `${formatRows(rows.length)} to correct.` : 'No row is left to correct.'}{' '}
        {rows.length > 0 && (
          <span className="text-muted">
            The marked cells are wrong; all cells can be changed. What you type is kept until the row is imported.
          </span>
        )}
      </p>
      {rows.length === 0 ? (
        <AllCorrected id={id} />
      ) : (
        <>
          <CorrectionGrid importId={id} columns={columns} rows={editable} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={correct.isPending}>
              Import corrected rows
            </Button>
            <Button
              variant="secondary"
              onClick={() => saveRefusedRows({ columns: columns.map(({ heading }) => heading), rows, leftOut: 0 })}
            >
              <Download aria-hidden="true" />
              Download Refused Rows
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

function AllCorrected({ id }: { id: string }) {
  return (
    <EmptyState
      title="All rows are corrected"
      actions={
        <>
          <ButtonLink variant="secondary" href={`/import/${id}`}>
            Back to the import
          </ButtonLink>
          <ButtonLink variant="secondary" href="/import">
            Import Another File
          </ButtonLink>
        </>
      }
    />
  );
}
