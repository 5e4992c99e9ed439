import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { isAborted } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { FilePicker } from './FilePicker.tsx';
import { FormatPanel } from './FormatPanel.tsx';
import { ImportDone } from './ImportDone.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { type ChosenFile, chooseFile, describeImportError, useImport, validateFile } from './import.data.ts';

export function ImportScreen() {
  return (
    <Page title="Import Businesses" back={{ href: '/crm', label: 'Back to CRM Dashboard' }}>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <UploadCard />
        <FormatPanel />
      </div>
    </Page>
  );
}

function UploadCard() {
  const [, navigate] = useLocation();
  const { latest, start, cancel, clear } = useImport();
  const [picked, setPicked] = useState<ChosenFile | undefined>(latest?.variables);
  const [fileError, setFileError] = useState<string>();
  const busy = latest?.status === 'pending';
  // Leaving the screen removes a result that was shown; a running import stays.
  useEffect(() => clear, [clear]);

  const pick = (file: File | undefined) => {
    clear();
    const error = file && validateFile(file);
    setFileError(error);
    setPicked(file && !error ? chooseFile(file) : undefined);
  };
  const onCancel = () => {
    if (busy) cancel();
    else if (picked || fileError) pick(undefined);
    else navigate('/crm');
  };

  return (
    <Card className="flex flex-col gap-5">
      <div className="flex flex-col gap-1">
        <h2 className="text-lg font-semibold">Upload CSV File</h2>
        <p className="text-sm text-muted">Each row becomes a business and a lead of the user it names.</p>
      </div>
      {latest?.data ? (
        <ImportDone response={latest.data} onAnother={() => pick(undefined)} />
      ) : (
        <form
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (picked) start(picked);
          }}
        >
          <FilePicker file={picked?.file} error={fileError} disabled={busy} onPick={pick} />
          {busy && <ImportProgress sent={latest.variables.sent} />}
          {latest?.error && <ImportFailed error={latest.error} onAnother={() => pick(undefined)} />}
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

function ImportFailed({ error, onAnother }: { error: Error; onAnother: () => void }) {
  if (isAborted(error)) {
    return (
      <Notice>Import cancelled. Rows that were imported before stay; nothing is added twice when you try again.</Notice>
    );
  }
  return (
    <div role="alert" className="flex items-start gap-2 rounded-md bg-danger-soft p-4 text-danger-text">
      <CircleAlert aria-hidden="true" className="mt-1 size-5 shrink-0" />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <h3 className="text-lg font-semibold">Import Failed</h3>
        <p className="text-sm">{describeImportError(error)}</p>
        <Button variant="secondary" size="sm" onClick={onAnother}>
          Import Another File
        </Button>
      </div>
    </div>
  );
}
