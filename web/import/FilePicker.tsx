import { clsx } from 'clsx';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { Field } from '#web/kit/ui/Field.tsx';
import { sizeOf } from './size-of.ts';

interface Props {
  file: File | undefined;
  error: string | undefined;
  disabled: boolean;
  onPick: (file: File) => void;
}

/** Takes one file, chosen or dropped. */
export function FilePicker({ file, error, disabled, onPick }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const chosenId = useId();

  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [first] = event.dataTransfer.files;
    if (first && !disabled) onPick(first);
  };
  const dragged = (event: DragEvent) => {
    event.preventDefault(); // else the browser would open the file in place of the page
    if (!disabled) setOver(true);
  };

  return (
    <Field label="CSV file" error={error} hint="A .csv file of at most 50 MB">
      {(control) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button within is the first
        <div
          onDragOver={dragged}
          onDragLeave={() => setOver(false)}
          onDrop={dropped}
          className={clsx(
            'relative flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-4 py-8 text-center',
            'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-pine',
            over ? 'border-pine bg-pine-soft' : 'border-control bg-paper',
          )}
        >
          {/* The input lies invisibly over the whole area: a click anywhere opens it, and it stays a real input. */}
          <input
            {...control}
            ref={input}
            type="file"
            accept=".csv"
            disabled={disabled}
            aria-describedby={clsx(control['aria-describedby'], file && chosenId)}
            className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
            onChange={({ currentTarget }) => {
              const [first] = currentTarget.files ?? [];
              currentTarget.value = ''; // so that the same file, corrected, can be chosen again
              if (first) onPick(first);
            }}
          />
          {file ? (
            <>
              <FileSpreadsheet aria-hidden="true" className="size-8 text-pine-text" />
              <p id={chosenId} className="max-w-full text-sm">
                <span className="font-medium break-all">{file.name}</span>{' '}
                <span className="whitespace-nowrap text-muted">({sizeOf(file.size)})</span>
              </p>
              {!disabled && <p className="text-sm text-muted">Choose or drop another file to replace it</p>}
            </>
          ) : (
            <>
              <Upload aria-hidden="true" className="size-8 text-muted" />
              <p className="text-sm font-medium">Choose a file, or drop it here</p>
            </>
          )}
        </div>
      )}
    </Field>
  );
}
