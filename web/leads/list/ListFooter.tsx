import { PAGE_SIZES } from '#contract/leads/lead-filter.ts';
import type { LeadPage } from '#contract/leads/lead-lists.calls.ts';
import { Pagination } from '#web/kit/ui/Pagination.tsx';
import { SelectField } from '#web/kit/ui/Select.tsx';

const SIZES = PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }));

/** How many pages there are. Of a list that was not counted to its end there is always another one after a full page. */
export function pagesOf({ total, totalCapped, page, pageSize, items }: LeadPage): number {
  const counted = Math.max(1, Math.ceil(total / pageSize));
  return totalCapped && items.length === pageSize ? Math.max(counted, page + 1) : counted;
}

interface Props {
  found: LeadPage;
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
  onPageSize: (pageSize: number) => void;
}

export function ListFooter({ found, page, pageSize, onPage, onPageSize }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="flex items-center gap-2.5 text-sm">
        <span aria-hidden="true">Items per page</span>
        <SelectField
          className="w-22"
          label="Items per page"
          labelHidden
          options={SIZES}
          value={String(pageSize)}
          onChange={({ target }) => onPageSize(Number(target.value))}
        />
      </div>
      <Pagination label="Leads" page={page} pages={pagesOf(found)} onPage={onPage} />
    </div>
  );
}
