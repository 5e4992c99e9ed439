import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { isAborted } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { complaintAbout } from './complaint-about.ts';
import { FilePicker } from './FilePicker.tsx';
import { FormatPanel } from './FormatPanel.tsx';
import { ImportDone } from './ImportDone.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { type ChosenFile, chosen, reasonFor, useImport } from './import.data.ts';

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
  const [complaint, setComplaint] = useState<string>();
  const busy = latest?.status === 'pending';
  // A result was seen when its screen is left; only a running import is still there on return.
  useEffect(() => clear, [clear]);

  const pick = (file: File | undefined) => {
    clear();
    const wrong = file && complaintAbout(file);
    setComplaint(wrong);
    setPicked(file && !wrong ? chosen(file) : undefined);
  };
  const onCancel = () => {
    if (busy) cancel();
    else if (picked || complaint) pick(undefined);
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
          <FilePicker file={picked?.file} error={complaint} disabled={busy} onPick={pick} />
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
    <div role="alert" className="flex items-start gap-2.5 rounded-md bg-danger-soft px-4 py-4 text-danger-text">
      <CircleAlert aria-hidden="true" className="mt-1 size-5 shrink-0" />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <h3 className="text-lg font-semibold">Import Failed</h3>
        <p className="text-sm">{reasonFor(error)}</p>
        <Button variant="secondary" size="sm" onClick={onAnother}>
          Import Another File
        </Button>
      </div>
    </div>
  );
}
