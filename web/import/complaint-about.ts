import { MAX_FILE_BYTES } from '#contract/import/import.calls.ts';

/** Why a file would be refused, before anybody waits for its upload. */
export function complaintAbout({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (!/\.csv$/i.test(name)) return 'Please select a CSV file';
  if (size > MAX_FILE_BYTES) return `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`;
  return size === 0 ? 'The file is empty' : undefined;
}
