import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { MonthlyMeter } from '#web/progress/meters/MonthlyMeter.tsx';
import { WeeklyMeter } from '#web/progress/meters/WeeklyMeter.tsx';
import { MonthChart } from './MonthChart.tsx';
import { Neglected } from './Neglected.tsx';
import { useRefreshTeam } from './progress.data.ts';
import { Team } from './Team.tsx';

const YOUR_WEEK = 'Your Weekly Progress';
const YOUR_MONTH = 'Your Monthly Progress';

export function TeamProgressScreen() {
  return (
    <Page title="Team Progress" actions={<RefreshButton />}>
      <div className="grid gap-4 lg:grid-cols-2 lg:gap-6">
        <ViewerCard title={YOUR_WEEK}>
          <WeeklyMeter label={YOUR_WEEK} />
        </ViewerCard>
        <ViewerCard title={YOUR_MONTH}>
          <MonthlyMeter label={YOUR_MONTH} />
        </ViewerCard>
      </div>
      <Neglected />
      <MonthChart />
      <Team />
    </Page>
  );
}

function RefreshButton() {
  const { busy, refresh } = useRefreshTeam();
  return (
    <Button variant="secondary" busy={busy} onClick={refresh}>
      {!busy && <RefreshCw aria-hidden="true" />}
      Refresh
    </Button>
  );
}

function ViewerCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </Card>
  );
}
