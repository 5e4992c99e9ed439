import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Input } from '#contract/call.ts';
import { countLeads, exportLeads, ROW_COUNT_HEADER } from '#contract/leads/lead-export.calls.ts';
import { isAborted, read, request } from '#web/kit/api.ts';
import { createCsvRowCounter } from '#web/kit/files/csv-rows.ts';
import { saveFile } from '#web/kit/files/save-file.ts';
import { formatCount } from '#web/kit/format.ts';

type Query = NonNullable<Input<typeof exportLeads>['query']>;

interface ExportResult {
  rows: number;
  /** The number of leads when the server began to write. */
  expected: number;
}

/** The number of leads that an export would have. Not cached beyond the dialog, because it changes. */
export const useLeadCount = ({ sort: _, ...filter }: Query) =>
  useQuery({ ...read(countLeads, { query: filter }), staleTime: 0, gcTime: 0 });

/** Downloads the file, counts its rows meanwhile, and saves it only when it is complete. */
export function useExportLeads() {
  const [rows, setRows] = useState(0);
  const download = useRef<AbortController>(undefined);
  useEffect(() => () => download.current?.abort(), []);

  const exporting = useMutation({
    mutationFn: async (query: Query): Promise<ExportResult> => {
      download.current = new AbortController();
      const { signal } = download.current;
      setRows(0);
      const response = await request(exportLeads, { query }, { signal });
      const expected = Number(response.headers.get(ROW_COUNT_HEADER));
      const { file, count } = await readCompletely(response, signal, setRows);
      saveFile('leads.csv', file);
      return { rows: count, expected };
    },
    meta: { success: formatSuccess, errorTitle: 'Export failed' },
  });
  return { exporting, rows };
}

async function readCompletely(response: Response, signal: AbortSignal, onRows: (rows: number) => void) {
  const rows = createCsvRowCounter();
  const countRows = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      signal.throwIfAborted();
      rows.add(bytes);
      onRows(rows.count());
      controller.enqueue(bytes);
    },
  });
  const file = await new Response(response.body?.pipeThrough(countRows)).blob().catch((error: unknown) => {
    throw isAborted(error) ? error : new IncompleteFile(rows.count());
  });
  signal.throwIfAborted();
  if (!rows.isComplete()) throw new IncompleteFile(rows.count());
  return { file: file.slice(0, file.size, 'text/csv;charset=utf-8'), count: rows.count() };
}

class IncompleteFile extends Error {
  constructor(rows: number) {
    super(`The connection was lost after ${formatLeadCount(rows)}. Nothing was saved; please try again.`);
  }
}

export const formatLeadCount = (count: number) => (count === 1 ? '1 lead' : `${formatCount(count)} leads`);

function formatSuccess({ rows, expected }: ExportResult) {
  const title = `${formatLeadCount(rows)} exported`;
  if (rows === expected) return { title, description: 'The file is called leads.csv.' };
  return { title, description: `There were ${formatCount(expected)} when it began: others changed leads meanwhile.` };
}
