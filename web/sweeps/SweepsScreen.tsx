import { Page } from '#web/kit/ui/Page.tsx';
import { RecentSweeps } from './RecentSweeps.tsx';
import { SweepFormCard } from './SweepFormCard.tsx';

/** Starts a search over many districts, and lists the latest ones. */
export function SweepsScreen() {
  return (
    <Page title="Sweeps" back={{ href: '/search', label: 'Back to Search' }}>
      <SweepFormCard />
      <RecentSweeps />
    </Page>
  );
}
