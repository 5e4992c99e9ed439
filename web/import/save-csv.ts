import { csvFile } from '#contract/csv.ts';
import { IMPORT_COLUMNS } from '#contract/import/csv-row.ts';
import { type ImportResponse, REASON_COLUMN } from '#contract/import/import.calls.ts';
import { saveFile } from '#web/kit/save-file.ts';
import { EXAMPLE_ROW } from './example-row.ts';

/** The columns that are read, and a row that shows what goes into them. */
export function saveTemplate() {
  save('import-template.csv', [[...IMPORT_COLUMNS], IMPORT_COLUMNS.map((column) => EXAMPLE_ROW[column])]);
}

/** The rows that were refused as the file had them, each with its reason: corrected, they can be sent again. */
export function saveRefused({ columns, rows }: ImportResponse['refused']) {
  save('refused-rows.csv', [[...columns, REASON_COLUMN], ...rows.map(({ cells, reason }) => [...cells, reason])]);
}

function save(name: string, rows: string[][]) {
  saveFile(name, new Blob([csvFile(rows)], { type: 'text/csv;charset=utf-8' }));
}
