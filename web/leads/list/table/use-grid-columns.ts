import { useMemo } from 'react';
import { useOwnFields } from '#web/settings/own-fields.data.ts';
import { type GridColumns, listGridColumns } from './grid-columns.ts';

export function useGridColumns(): GridColumns {
  const fields = useOwnFields();
  return useMemo(() => listGridColumns(fields), [fields]);
}
