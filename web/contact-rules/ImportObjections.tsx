import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { useImportObjections } from './objections.data.ts';

/** Records the objections of a CSV file; what is wrong with it stays on the screen. */
export function ImportObjections() {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const importing = useImportObjections();
  const send = (file: File | undefined) => {
    if (file) importing.mutate(file, { onError: ({ message }) => setProblem(message.replace(/^\d+: /, '')) });
    // The same file can be chosen again once it is mended.
    if (input.current) input.current.value = '';
  };
  return (
    <>
      <Button variant="secondary" busy={importing.isPending} onClick={() => input.current?.click()}>
        {!importing.isPending && <Upload aria-hidden="true" />}
        Import CSV
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="File with objections"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => send(target.files?.[0])}
      />
      <Dialog
        open={problem !== undefined}
        onClose={() => setProblem(undefined)}
        title="The file could not be imported"
        description={
          <>
            A file has a row for each number or e-mail address, in a column “Value”, “Number” or “E-mail”. It may have
            the columns “Channel” (Calls, E-mails, Text messages or Any contact), “Since” (such as 2026-03-04) and
            “Words”.
          </>
        }
      >
        <p role="alert" className="text-sm text-danger-text">
          {problem}
        </p>
      </Dialog>
    </>
  );
}
