import { csvFile } from '#contract/csv.ts';
import { type ImportResponse, REASON_COLUMN } from '#contract/import/import.calls.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '#contract/import/import-target.ts';
import { saveFile } from '#web/kit/files/save-file.ts';

export const EXAMPLE_ROW: Record<ImportColumn, string> = {
  'Business Name': 'Blue Door Bakery',
  Address: '12 High Street, Harrogate HG1 1AA',
  Town: 'Harrogate',
  'Contact Name': 'Bea Baker',
  Phone: '01632 960123',
  'Email Address': 'bea@bluedoor.example',
  Website: 'https://bluedoor.example',
  User: '',
  'Custom Tag': 'Bakery, Spring campaign',
};

export const COLUMN_HINT: Record<ImportColumn, string> = {
  'Business Name': 'Required.',
  Address: 'Optional.',
  Town: 'Optional. Added to the address when it is not in it.',
  'Contact Name': 'Optional.',
  Phone: 'Optional. Digits, spaces and + ( ) - . / # x ext.',
  'Email Address': 'Optional. One valid address.',
  Website: 'Optional. https:// is added when it is missing.',
  User: 'Optional. The username of who gets the lead; empty means you.',
  'Custom Tag': 'Optional. Several tags are separated by commas.',
};

/** A file with the columns and the example row. */
export function saveTemplate() {
  save('import-template.csv', [[...IMPORT_COLUMNS], IMPORT_COLUMNS.map((column) => EXAMPLE_ROW[column])]);
}

/** The refused rows as they were in the file, each with its reason, to be corrected and imported again. */
export function saveRefusedRows({ columns, rows }: ImportResponse['refused']) {
  save('refused-rows.csv', [[...columns, REASON_COLUMN], ...rows.map(({ cells, reason }) => [...cells, reason])]);
}

function save(name: string, rows: string[][]) {
  saveFile(name, new Blob([csvFile(rows)], { type: 'text/csv;charset=utf-8' }));
}
