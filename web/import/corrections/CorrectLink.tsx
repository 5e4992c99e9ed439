import { PencilLine } from 'lucide-react';
import { formatRows } from '#web/import/describe-import.ts';
import { ButtonLink } from '#web/kit/ui/Button.tsx';

interface Props {
  id: string;
  rows: number;
  /** `primary` where it is the next step. */
  variant: 'primary' | 'secondary';
}

/** "Correct 3 rows" */
export function CorrectLink({ id, rows, variant }: Props) {
  return (
    <ButtonLink variant={variant} href={`/import/${id}/corrections`}>
      <PencilLine aria-hidden="true" />
      Correct {formatRows(rows)}
    </ButtonLink>
  );
}
