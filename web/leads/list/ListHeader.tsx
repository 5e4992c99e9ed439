import { useRef } from 'react';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { BulkActions } from './BulkActions.tsx';

/** The number of results and, while leads are selected, the bulk actions. */
export function ListHeader({ page, selection }: { page: LeadPage | undefined; selection: Selection<number> }) {
  const count = useRef<HTMLParagraphElement>(null);
  const focusCount = () => count.current?.focus();
  const selected = selection.ids.size;

  return (
    <div
      className={
        'flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2 has-[button]:sticky has-[button]:top-0 ' +
        'has-[button]:z-sticky has-[button]:-mx-4 has-[button]:bg-paper has-[button]:px-4 has-[button]:py-2'
      }
    >
      <p ref={count} tabIndex={-1} aria-live="polite" className="text-sm text-muted">
        {page && formatResultCount(page)}
      </p>
      {selected > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-sm font-medium">{formatCount(selected)} selected</span>
          <Button
            variant="ghost"
            size="sm"
            onClick={() => {
              selection.clear();
              focusCount();
            }}
          >
            Clear selection
          </Button>
          <BulkActions selection={selection} onDone={focusCount} />
        </div>
      )}
    </div>
  );
}

/** "1 result found", "10,000+ results found" */
function formatResultCount({ total, totalCapped }: LeadPage) {
  return `${formatCount(total)}${totalCapped ? '+' : ''} ${total === 1 ? 'result' : 'results'} found`;
}
