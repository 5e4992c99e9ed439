import { useRef } from 'react';
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
  const where = useRef<HTMLSpanElement>(null);

  const go = (next: number) => {
    onPage(next);
    // The button that was pressed is about to be disabled, and would drop the focus.
    if (next <= 1 || next >= last) where.current?.focus();
  };

  return (
    <nav aria-label={`${label}: pages`} className="flex items-center gap-3 text-sm">
      <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </Button>
      <span ref={where} tabIndex={-1} aria-live="polite">
        Page {page} of {last}
      </span>
      <Button variant="secondary" size="sm" disabled={page >= last} onClick={() => go(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
