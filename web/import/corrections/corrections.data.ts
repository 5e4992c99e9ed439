import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { FileColumn, RefusedImportRow } from '#contract/import/import-job.ts';
import { correctRows, getImport, listRefusedRows, MAX_CORRECTIONS } from '#contract/import/import-jobs.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatRows } from '#web/import/describe-import.ts';
import { refetchAfterImport } from '#web/import/upload/import.data.ts';
import { read, send } from '#web/kit/api.ts';
import { deleteDraft, readDraft, saveDraft, useDraft } from '#web/kit/storage/drafts.ts';

export type Correction = Pick<RefusedImportRow, 'row' | 'cells'>;

export const useRefusedRows = (id: string) =>
  useQuery({ ...read(listRefusedRows, { params: { id } }), refetchOnMount: 'always' });

/** The keys of the drafts of an import start with it. */
export const correctionDrafts = (importId: string) => `import.${importId}.`;
const draftKey = (importId: string, row: number) => `${correctionDrafts(importId)}${row}`;

/** One line for each column: a field of one line would join the lines of a cell without a space. */
export const toEditableCells = ({ cells }: Correction, columns: FileColumn[]) =>
  Array.from({ length: Math.max(columns.length, cells.length) }, (_, index) =>
    (cells[index] ?? '').replace(/\s*\r?\n\s*/g, ', '),
  );

/** The cells of a row as they were typed; a draft until the row is imported. */
export function useTypedCells(importId: string, row: number, cells: string[]) {
  const viewer = useViewer();
  const key = draftKey(importId, row);
  const typed = parseCells(useDraft(viewer.id, key)?.text, cells.length) ?? cells;
  const change = (index: number, text: string) => {
    const next = typed.map((cell, at) => (at === index ? text : cell));
    if (sameCells(next, cells)) deleteDraft(viewer.id, key);
    else saveDraft(viewer.id, key, { text: JSON.stringify(next), version: 0 });
  };
  return [typed, change] as const;
}

/** The rows that were changed since they were refused; all rows if none was. */
export function listCorrections(viewerId: number, importId: string, rows: Correction[]): Correction[] {
  const typed = rows.map(({ row, cells }) => {
    const draft = parseCells(readDraft(viewerId, draftKey(importId, row))?.text, cells.length);
    return { row, cells: draft ?? cells, changed: draft !== undefined && !sameCells(draft, cells) };
  });
  const changed = typed.filter(({ changed }) => changed);
  return (changed.length > 0 ? changed : typed).map(({ row, cells }) => ({ row, cells }));
}

/** Imports corrected rows. Those that are still wrong stay as they were typed, with the new reason. */
export function useCorrectRows(id: string) {
  const viewer = useViewer();
  const queries = useQueryClient();
  const { queryKey } = read(listRefusedRows, { params: { id } });

  const sendBatch = async (rows: Correction[]) => {
    const { imported, refused, job } = await send(correctRows, { params: { id }, body: { rows } });
    const stillRefused = new Map(refused.map((each) => [each.row, each]));
    const sent = new Set(rows.map(({ row }) => row));
    queries.setQueryData(
      queryKey,
      (shown) =>
        shown && {
          ...shown,
          rows: shown.rows
            .filter(({ row }) => !sent.has(row) || stillRefused.has(row))
            .map((each) => stillRefused.get(each.row) ?? each),
        },
    );
    queries.setQueryData(read(getImport, { params: { id } }).queryKey, job);
    for (const row of sent) if (!stillRefused.has(row)) deleteDraft(viewer.id, draftKey(id, row));
    return { imported, refused: refused.length };
  };

  return useMutation({
    mutationFn: async (rows: Correction[]) => {
      const sum = { imported: 0, refused: 0 };
      for (let at = 0; at < rows.length; at += MAX_CORRECTIONS) {
        const { imported, refused } = await sendBatch(rows.slice(at, at + MAX_CORRECTIONS));
        sum.imported += imported;
        sum.refused += refused;
      }
      return sum;
    },
    onSettled: () => refetchAfterImport(queries),
    meta: {
      success: ({ imported, refused }: { imported: number; refused: number }) => ({
        title: imported > 0 ? `${formatRows(imported)} imported` : 'No row was imported',
        description: refused > 0 ? `${formatRows(refused)} still refused.` : undefined,
      }),
      errorTitle: 'The rows could not be imported',
    },
  });
}

const draftCells = z.array(z.string());

function parseCells(text: string | undefined, length: number): string[] | undefined {
  if (text === undefined) return undefined;
  try {
    const cells = draftCells.parse(JSON.parse(text));
    return cells.length === length ? cells : undefined;
  } catch {
    return undefined;
  }
}

const sameCells = (one: string[], other: string[]) =>
  one.length === other.length && one.every((cell, index) => cell === other[index]);
