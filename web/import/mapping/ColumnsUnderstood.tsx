import type { FileColumn } from '#contract/import/import-job.ts';
import { isUnderstood } from '#contract/import/suggest-mapping.ts';
import { Button } from '#web/kit/ui/Button.tsx';

interface Props {
  columns: FileColumn[];
  /** Shows the columns that are left, from the first of them on. */
  onShow: (index: number) => void;
}

/** "17 of 18 columns understood", with the rest one click away. */
export function ColumnsUnderstood({ columns, onShow }: Props) {
  const left = columns.filter((column) => !isUnderstood(column));
  const [first] = left;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <p>
        {columns.length - left.length} of {columns.length === 1 ? '1 column' : `${columns.length} columns`} understood
      </p>
      {first && (
        <Button variant="secondary" size="sm" onClick={() => onShow(columns.indexOf(first))}>
          Show the {left.length === 1 ? 'other one' : `other ${left.length}`}
        </Button>
      )}
    </div>
  );
}
