import { type CsvRecord, readCsv } from '#server/kit/csv/read-csv.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readSheetNames, readXlsx } from './read-xlsx.ts';
import { openStoredFile, readStoredFile } from './stored-file.ts';

export interface StoredFile {
  id: string;
  fileName: string;
  size: number;
}

export const isWorkbook = ({ fileName }: Pick<StoredFile, 'fileName'>) => /\.xlsx$/i.test(fileName);

export const readSheets = (db: Db, file: StoredFile) => readSheetNames(openStoredFile(db, file));

interface Options {
  sheet: string | null;
  headerRows: { from: number; to: number };
  onRead?: (bytes: number) => void;
}

/** The rows of a stored file, whatever its format. */
export function openRecords(
  db: Db,
  file: StoredFile,
  { sheet, headerRows, onRead = () => {} }: Options,
): AsyncGenerator<CsvRecord[]> {
  if (isWorkbook(file)) return readXlsx(openStoredFile(db, file, onRead), sheet ?? '');
  return readCsv(readStoredFile(db, file.id, { onRead }), { headerRows });
}
