import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { Backups } from './Backups.tsx';
import { DatabaseCard, DiskCard, MailCard, PlacesCard } from './FactCards.tsx';
import { Moment } from './Facts.tsx';
import { Jobs } from './Jobs.tsx';
import { Problems } from './Problems.tsx';
import { useSystem } from './system.data.ts';

/** The state of this installation, for administrators. */
export function SystemScreen() {
  const { data: system, isPending, isLoadingError, isRefetchError, error, refetch } = useSystem();
  return (
    <Page title="System">
      {isPending && <SystemLoading />}
      {isLoadingError && (
        <ErrorState title="The state of the system could not be loaded" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {isRefetchError && <Notice tone="danger">This could not be refreshed: {error.message}</Notice>}
      {system && (
        <div className="flex flex-col gap-4">
          <p className="text-sm text-muted">
            Highstreet {system.version}, started <Moment at={system.startedAt} />
          </p>
          <Problems problems={system.problems} />
          <Backups backups={system.backups} />
          <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
            <DatabaseCard database={system.database} />
            <DiskCard disks={system.disks} />
            <MailCard mail={system.mail} />
            <PlacesCard places={system.places} />
          </div>
          <Jobs jobs={system.jobs} />
        </div>
      )}
    </Page>
  );
}

const SKELETON_CARDS = [1, 2, 3, 4];

function SystemLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the state of the system…</span>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
        {SKELETON_CARDS.map((card) => (
          <div key={card} className="rounded-lg border border-line bg-surface p-5 sm:p-6">
            <Skeleton lines={4} />
          </div>
        ))}
      </div>
    </div>
  );
}
