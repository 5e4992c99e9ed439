import { Button } from './Button.tsx';

interface Props {
  page: number;
  pages: number;
  onPage: (page: number) => void;
  /** What is being paged through, for screen readers: "Users". */
  label: string;
}

export function Pagination({ page, pages, onPage, label }: Props) {
  const last = Math.max(1, pages);
  return (
    <nav aria-label={`${label}: pages`} className="flex items-center gap-3 text-sm">
      <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span aria-live="polite">
        Page {page} of {last}
      </span>
      <Button variant="secondary" size="sm" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
