import { formatBytes } from '#contract/format.ts';
import { PROVIDER_LABEL } from '#contract/search/search.ts';
import type { SystemFacts } from '#contract/system/system.ts';
import { formatCount } from '#web/kit/format.ts';
import { ProgressBar } from '#web/kit/ui/ProgressBar.tsx';
import { describeGrowth } from './describe-system.ts';
import { Fact, FactCard, Facts, Moment } from './Facts.tsx';

export function DatabaseCard({ database }: Pick<SystemFacts, 'database'>) {
  const { kind, version, bytes, growth } = database;
  return (
    <FactCard title="Database">
      <Facts>
        <Fact label="PostgreSQL">
          {version}, {kind === 'built-in' ? 'built in' : 'your own'}
        </Fact>
        <Fact label="Size">{formatBytes(bytes)}</Fact>
        <Fact label="Growth">{describeGrowth(growth)}</Fact>
      </Facts>
    </FactCard>
  );
}

export function DiskCard({ disks }: Pick<SystemFacts, 'disks'>) {
  return (
    <FactCard title="Disk">
      <ul className="flex flex-col gap-4 text-sm">
        {disks.map(({ holds, folder, freeBytes, totalBytes }) => (
          <li key={folder} className="flex flex-col gap-1">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="text-muted">{holds}</span>
              <span className="font-medium tabular-nums">
                {formatBytes(freeBytes)} of {formatBytes(totalBytes)} free
              </span>
            </p>
            <ProgressBar label={`Used: ${holds}`} percent={toPercent(totalBytes - freeBytes, totalBytes)} />
            <p className="text-xs text-muted [overflow-wrap:anywhere]">{folder}</p>
          </li>
        ))}
      </ul>
    </FactCard>
  );
}

export function MailCard({ mail }: Pick<SystemFacts, 'mail'>) {
  const { sentTo, waiting, oldestAt, lastError, lastFailedAt } = mail;
  return (
    <FactCard title="E-mail">
      <Facts>
        <Fact label="Sent to">{sentTo === 'server' ? 'Mail server' : 'A folder, without a mail server'}</Fact>
        <Fact label="Waiting">{formatCount(waiting)}</Fact>
        {oldestAt && (
          <Fact label="Oldest">
            <Moment at={oldestAt} />
          </Fact>
        )}
        {lastError && (
          <Fact label="Last error">
            <span className="text-danger-text">{lastError}</span>
            {lastFailedAt && (
              <span className="block font-normal text-muted">
                <Moment at={lastFailedAt} />
              </span>
            )}
          </Fact>
        )}
      </Facts>
    </FactCard>
  );
}

export function PlacesCard({ places: { provider, paidCalls } }: Pick<SystemFacts, 'places'>) {
  return (
    <FactCard title="Places">
      <div className="flex flex-col gap-2">
        <Facts>
          <Fact label="Source">{PROVIDER_LABEL[provider]}</Fact>
          <Fact label="Paid calls this month">
            {paidCalls ? `${formatCount(paidCalls.used)} of ${formatCount(paidCalls.cap)}` : 'None: it is free'}
          </Fact>
        </Facts>
        {paidCalls && <ProgressBar label="Paid calls this month" percent={toPercent(paidCalls.used, paidCalls.cap)} />}
      </div>
    </FactCard>
  );
}

const toPercent = (part: number, whole: number) => (whole > 0 ? Math.min(100, (100 * part) / whole) : 100);
