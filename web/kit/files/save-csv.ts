import { createCsvRowCounter } from './csv-rows.ts';
import { saveFile } from './save-file.ts';

/** Saves the CSV file of a response, unless the connection was lost before its end. Returns the number of rows. */
export async function saveCsv(response: Response, name: string): Promise<number> {
  const file = await response.blob();
  const rows = createCsvRowCounter();
  rows.add(new Uint8Array(await file.arrayBuffer()));
  if (!rows.isComplete()) throw new Error('The file is not complete');
  saveFile(name, file);
  return rows.count();
}
