import { PencilLine } from 'lucide-react';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { formatRows } from './describe-import.ts';

/** "Correct 3 rows" */
export function CorrectLink({ id, rows }: { id: string; rows: number }) {
  return (
    <ButtonLink variant="secondary" href={`/import/${id}/corrections`}>
      <PencilLine aria-hidden="true" />
      Correct {formatRows(rows)}
    </ButtonLink>
  );
}
