import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Input } from '#contract/call.ts';
import { countLeads, exportLeads, ROW_COUNT_HEADER } from '#contract/leads/lead-export.calls.ts';
import { isAborted, read, request } from '#web/kit/api.ts';
import { createCsvRowCounter } from '#web/kit/csv-rows.ts';
import { formatCount } from '#web/kit/format.ts';
import { saveFile } from '#web/kit/save-file.ts';

type Query = NonNullable<Input<typeof exportLeads>['query']>;

interface Exported {
  rows: number;
  /** How many there were when the server began to write. */
  expected: number;
}

/** How many leads an export would hold just now; forgotten with the dialog, because it is only true for a while. */
export const useLeadCount = ({ sort: _, ...filter }: Query) =>
  useQuery({ ...read(countLeads, { query: filter }), staleTime: 0, gcTime: 0 });

/** Fetches the whole file, counts what has come, and saves it only when it has come to its end. */
export function useExportLeads() {
  const [rows, setRows] = useState(0);
  const underWay = useRef<AbortController>(undefined);
  useEffect(() => () => underWay.current?.abort(), []);

  const exporting = useMutation({
    mutationFn: async (query: Query): Promise<Exported> => {
      underWay.current = new AbortController();
      const { signal } = underWay.current;
      setRows(0);
      const response = await request(exportLeads, { query }, { signal });
      const expected = Number(response.headers.get(ROW_COUNT_HEADER));
      const { file, count } = await readToTheEnd(response, signal, setRows);
      saveFile('leads.csv', file);
      return { rows: count, expected };
    },
    meta: { success: said, errorTitle: 'Export failed' },
  });
  return { exporting, rows };
}

async function readToTheEnd(response: Response, signal: AbortSignal, onRows: (rows: number) => void) {
  const rows = createCsvRowCounter();
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, through) {
      signal.throwIfAborted();
      rows.take(bytes);
      onRows(rows.count());
      through.enqueue(bytes);
    },
  });
  const file = await new Response(response.body?.pipeThrough(counting)).blob().catch((error: unknown) => {
    throw isAborted(error) ? error : new CutShort(rows.count());
  });
  signal.throwIfAborted();
  if (!rows.whole()) throw new CutShort(rows.count());
  return { file: file.slice(0, file.size, 'text/csv;charset=utf-8'), count: rows.count() };
}

/** The connection ended before the file did. */
class CutShort extends Error {
  constructor(rows: number) {
    super(`The connection was lost after ${leadsIn(rows)}. Nothing was saved; please try again.`);
  }
}

export const leadsIn = (count: number) => (count === 1 ? '1 lead' : `${formatCount(count)} leads`);

function said({ rows, expected }: Exported) {
  const title = `${leadsIn(rows)} exported`;
  if (rows === expected) return { title, description: 'The file is called leads.csv.' };
  return { title, description: `There were ${formatCount(expected)} when it began: others changed leads meanwhile.` };
}
