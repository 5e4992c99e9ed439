import { useState } from 'react';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Switch } from '#web/kit/ui/Checkbox.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { MonthChart } from './MonthChart.tsx';
import { MonthTable } from './MonthTable.tsx';
import { type MonthResponse, type Picture, pictureOf, type Whose } from './month-picture.ts';
import { useMonthPicture } from './progress.data.ts';
import { WhoseSwitch } from './WhoseSwitch.tsx';

/** Contacts per day of this month against the pace to the goal. */
export function MonthPicture() {
  const month = useMonthPicture();
  return (
    <Card className="flex flex-col gap-4">
      {month.data && <Ready response={month.data} />}
      {!month.data && <h2 className="text-lg font-semibold">The month so far</h2>}
      {month.isError && (
        <Notice tone="danger">
          <p>The picture of the month could not be loaded. {month.error.message}</p>
          <Button variant="secondary" size="sm" className="mt-2" onClick={() => void month.refetch()}>
            Load the picture again
          </Button>
        </Notice>
      )}
      {month.isPending && (
        <div role="status">
          <span className="sr-only">Loading the month…</span>
          <Skeleton lines={6} />
        </div>
      )}
    </Card>
  );
}

function Ready({ response }: { response: MonthResponse }) {
  const [whose, setWhose] = useState<Whose>('team');
  const [asTable, setAsTable] = useState(false);
  const picture = pictureOf(response, whose);
  const label = `Contacts in ${picture.monthName}, ${whose === 'own' ? 'yours' : 'the whole team'}`;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h2 className="text-lg font-semibold">{picture.monthName} so far</h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <WhoseSwitch whose={whose} onWhose={setWhose} />
          <Switch label="Show as table" checked={asTable} onChange={({ target }) => setAsTable(target.checked)} />
        </div>
      </div>
      {!asTable && <MonthChart picture={picture} summary={`${label}: ${sayTotal(picture)}`} />}
      {/* Always there: whoever cannot see the drawing reads this. */}
      <div className={asTable ? undefined : 'sr-only'}>
        <MonthTable picture={picture} label={label} />
      </div>
    </>
  );
}

function sayTotal({ days, target }: Picture) {
  const today = days.at(-1);
  if (!today) return 'nothing yet';
  return `${formatCount(today.total)} of ${formatCount(target)} by day ${today.day}, ${formatCount(today.pace)} expected`;
}
