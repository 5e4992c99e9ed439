import { clsx } from 'clsx';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { Field } from '#web/kit/ui/Field.tsx';

interface Props {
  file: File | undefined;
  error: string | undefined;
  disabled: boolean;
  onPick: (file: File) => void;
}

/** Chooses one file, by dialog or by drop. */
export function FilePicker({ file, error, disabled, onPick }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const chosenId = useId();

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [first] = event.dataTransfer.files;
    if (first && !disabled) onPick(first);
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault(); // otherwise the browser would open the file
    if (!disabled) setOver(true);
  };

  return (
    <Field label="CSV file" error={error} hint="A .csv file of at most 50 MB">
      {(control) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same
        <div
          onDragOver={onDragOver}
          onDragLeave={() => setOver(false)}
          onDrop={onDrop}
          className={clsx(
            'relative flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-4 py-8 text-center',
            'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-pine',
            over ? 'border-pine bg-pine-soft' : 'border-control bg-paper',
          )}
        >
          {/* The transparent input covers the area, so that a click anywhere opens the file dialog. */}
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
              currentTarget.value = ''; // allows choosing the same file again, corrected
              if (first) onPick(first);
            }}
          />
          {file ? (
            <>
              <FileSpreadsheet aria-hidden="true" className="size-8 text-pine-text" />
              <p id={chosenId} className="max-w-full text-sm">
                <span className="font-medium break-all">{file.name}</span>{' '}
                <span className="whitespace-nowrap text-muted">({formatSize(file.size)})</span>
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

const KIB = 1024;
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** "840 bytes", "12.3 KB", "4 MB" */
function formatSize(bytes: number): string {
  if (bytes < KIB) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < KIB * KIB ? `${number.format(bytes / KIB)} KB` : `${number.format(bytes / KIB / KIB)} MB`;
}
