import { clsx } from 'clsx';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type ComponentProps, type DragEvent, useId, useState } from 'react';
import { FocusOutline } from '#web/kit/ui/FocusOutline.tsx';
import { Field } from '#web/kit/ui/forms/Field.tsx';
import { type FileKind, isWorkbook } from './import.data.ts';

interface Props {
  file: File | undefined;
  error: { kind: FileKind; message: string } | undefined;
  disabled: boolean;
  onPick: (file: File, kind: FileKind) => void;
}

/** Chooses one file, by one of two dialogs or by drop. */
export function FilePicker({ file, error, disabled, onPick }: Props) {
  const [over, setOver] = useState(false);
  const chosenId = useId();
  const errorOf = (kind: FileKind) => (error?.kind === kind ? error.message : undefined);

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [first] = event.dataTransfer.files;
    if (first && !disabled) onPick(first, isWorkbook(first) ? 'Excel' : 'CSV');
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault(); // otherwise the browser would open the file
    if (!disabled) setOver(true);
  };

  return (
    <div className="flex flex-col gap-4">
      <Field label="CSV file" error={errorOf('CSV')} hint="A .csv file of at most 50 MB">
        {(control) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the input inside does the same
          <div
            onDragOver={onDragOver}
            onDragLeave={() => setOver(false)}
            onDrop={onDrop}
            className={clsx(
              'relative flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-4 py-8 text-center',
              over ? 'border-pine bg-pine-soft' : 'border-control bg-paper',
            )}
          >
            <FileInput
              {...control}
              accept=".csv"
              disabled={disabled}
              aria-describedby={clsx(control['aria-describedby'], file && chosenId)}
              onFile={(picked) => onPick(picked, 'CSV')}
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
                <p className="text-sm font-medium">Choose a CSV file, or drop a CSV or Excel file here</p>
              </>
            )}
          </div>
        )}
      </Field>
      <ExcelPicker error={errorOf('Excel')} disabled={disabled} onFile={(picked) => onPick(picked, 'Excel')} />
    </div>
  );
}

interface ExcelProps {
  error: string | undefined;
  disabled: boolean;
  onFile: (file: File) => void;
}

function ExcelPicker({ error, disabled, onFile }: ExcelProps) {
  return (
    <Field
      label="Excel file"
      labelHidden
      error={error}
      hint="An .xlsx workbook of at most 50 MB. You choose the sheet and the columns in the next step."
    >
      {(control) => (
        <div
          className={clsx(
            'relative flex min-h-11 items-center gap-2 self-start rounded-md border border-control bg-surface px-4 text-sm font-medium sm:min-h-10',
            disabled ? 'opacity-60' : 'hover:bg-sunken',
          )}
        >
          <FileInput {...control} accept=".xlsx" disabled={disabled} onFile={onFile} />
          <FileSpreadsheet aria-hidden="true" className="size-4" />
          Excel file
        </div>
      )}
    </Field>
  );
}

/** Transparent, over the whole of its area, so that a click anywhere opens the file dialog. */
function FileInput({ onFile, ...input }: ComponentProps<'input'> & { onFile: (file: File) => void }) {
  return (
    <>
      <input
        {...input}
        type="file"
        className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
        onChange={({ currentTarget }) => {
          const [first] = currentTarget.files ?? [];
          currentTarget.value = ''; // allows choosing the same file again, corrected
          if (first) onFile(first);
        }}
      />
      <FocusOutline />
    </>
  );
}

const KIB = 1024;
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** "840 bytes", "12.3 KB", "4 MB" */
function formatSize(bytes: number): string {
  if (bytes < KIB) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < KIB * KIB ? `${number.format(bytes / KIB)} KB` : `${number.format(bytes / KIB / KIB)} MB`;
}
