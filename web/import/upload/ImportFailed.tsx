import { CircleAlert } from 'lucide-react';
import { isAborted } from '#web/kit/api.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { describeImportError } from './import.data.ts';

interface Props {
  error: Error;
  onAnother: () => void;
}

export function ImportFailed({ error, onAnother }: Props) {
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
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={onAnother}>
            Import Another File
          </Button>
        </div>
      </div>
    </div>
  );
}
