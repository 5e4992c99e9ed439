import { useRef, useState } from 'react';
import type { ManagedUser } from '#contract/users/user.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Pagination } from '#web/kit/ui/Pagination.tsx';
import { findUsers, NO_FILTER, pageOf, pagesOf, type UserFilter } from './find-users.ts';
import { useKeptPlace } from './kept-place.ts';
import { useLockClock } from './lock-clock.ts';
import type { Question } from './UserActions.tsx';
import { UserFilters } from './UserFilters.tsx';
import { UserQuestion } from './UserQuestion.tsx';
import { UserRow } from './UserRow.tsx';
import { UsersTable } from './UsersTable.tsx';

interface Props {
  users: ManagedUser[];
  viewerId: number;
}

export function UserList({ users, viewerId }: Props) {
  const [filter, setFilter] = useState(NO_FILTER);
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<{ question: Question; user: ManagedUser }>();
  const searchBox = useRef<HTMLInputElement>(null);
  const { rows, restore, watch } = useKeptPlace(() => searchBox.current);
  const now = useLockClock(users);

  const found = findUsers(users, filter, now);
  const pages = pagesOf(found.length);
  // The last row of the last page is gone: the page before it is the last one now.
  if (page > pages) setPage(pages);
  const { shown, from, to } = pageOf(found, Math.min(page, pages));

  const changeFilter = (next: UserFilter) => {
    setFilter(next);
    setPage(1);
  };
  const clear = () => {
    changeFilter(NO_FILTER);
    searchBox.current?.focus();
  };

  return (
    <div className="flex flex-col gap-4">
      <UserFilters filter={filter} onFilter={changeFilter} searchBox={searchBox} />
      {/* There before it is needed, so that what is put into it is read out. */}
      <div role="status" className="empty:hidden">
        {found.length === 0 && (
          <EmptyState
            title="No users found matching your search."
            actions={
              <Button variant="secondary" onClick={clear}>
                Clear filters
              </Button>
            }
          />
        )}
      </div>
      {found.length > 0 && (
        <>
          <UsersTable rows={rows} watch={watch}>
            {shown.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                own={user.id === viewerId}
                now={now}
                onAsk={(question, user) => setAsked({ question, user })}
              />
            ))}
          </UsersTable>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <p aria-live="polite" className="text-sm text-muted">
              Showing {from} to {to} of {found.length} users
            </p>
            <Pagination label="Users" page={page} pages={pages} onPage={setPage} />
          </div>
        </>
      )}
      {asked && (
        <UserQuestion
          {...asked}
          own={asked.user.id === viewerId}
          onClose={() => setAsked(undefined)}
          onTriggerRemoved={restore}
        />
      )}
    </div>
  );
}
