import { useRef } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';

interface Props {
  page: number;
  pages: number;
  onPage: (page: number) => void;
  /** The items, for screen readers: "Users". */
  label: string;
}

export function Pagination({ page, pages, onPage, label }: Props) {
  const last = Math.max(1, pages);
  const position = useRef<HTMLSpanElement>(null);

  const go = (next: number) => {
    onPage(next);
    // The pressed button is about to be disabled, which would lose the focus.
    if (next <= 1 || next >= last) position.current?.focus();
  };

  return (
    <nav aria-label={`${label}: pages`} className="flex items-center gap-3 text-sm">
      <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </Button>
      <span ref={position} tabIndex={-1} aria-live="polite">
        Page {page} of {last}
      </span>
      <Button variant="secondary" size="sm" disabled={page >= last} onClick={() => go(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
