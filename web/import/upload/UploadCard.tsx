import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ListedImport } from '#web/import/import-jobs.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { FilePicker } from './FilePicker.tsx';
import { ImportDone } from './ImportDone.tsx';
import { ImportFailed } from './ImportFailed.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { type ChosenFile, chooseFile, type FileKind, useImport, validateFile } from './import.data.ts';

/** Chooses and uploads a file, and shows the result of one whose columns are those of the template. */
export function UploadCard({ imports }: { imports: ListedImport[] }) {
  const [, navigate] = useLocation();
  const { latest, start, cancel, clear } = useImport();
  const [picked, setPicked] = useState<ChosenFile | undefined>(latest?.variables);
  const [fileError, setFileError] = useState<{ kind: FileKind; message: string }>();
  const busy = latest?.status === 'pending';
  // Leaving the screen removes a result that was shown; a running import stays.
  useEffect(() => clear, [clear]);

  const results = latest?.data && 'importResults' in latest.data ? latest.data : undefined;
  const createdId = latest?.data && 'id' in latest.data ? latest.data.id : undefined;
  useEffect(() => {
    if (createdId) navigate(`/import/${createdId}`);
  }, [createdId, navigate]);

  const remove = () => {
    clear();
    setFileError(undefined);
    setPicked(undefined);
  };
  const pick = (file: File, kind: FileKind) => {
    clear();
    const message = validateFile(file, kind);
    setFileError(message ? { kind, message } : undefined);
    setPicked(message ? undefined : chooseFile(file));
  };
  const onCancel = () => {
    if (busy) cancel();
    else if (picked || fileError) remove();
    else navigate('/crm');
  };
  const job = imports.find(({ id }) => id === latest?.variables.importId);

  return (
    <Card className="flex flex-col gap-5">
      <div className="flex flex-col gap-1">
        <h2 className="text-lg font-semibold">Upload CSV File</h2>
        <p className="text-sm text-muted">
          Each row becomes a business and a lead of the user it names. Excel workbooks work, too.
        </p>
      </div>
      {results ? (
        <ImportDone response={results} job={job} onAnother={remove} />
      ) : (
        <form
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (picked) start(picked);
          }}
        >
          <FilePicker file={picked?.file} error={fileError} disabled={busy} onPick={pick} />
          {busy && <ImportProgress sent={latest.variables.sent} job={job?.state === 'running' ? job : undefined} />}
          {latest?.error && <ImportFailed error={latest.error} onAnother={remove} />}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={busy} disabled={!picked}>
              {busy ? 'Processing...' : 'Upload & Import'}
            </Button>
            <Button variant="secondary" onClick={onCancel}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </Card>
  );
}
