import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { DUPLICATE_REASON_LABEL } from '#contract/duplicates/duplicate.ts';
import type { DuplicateGroup, DuplicateRecord } from '#contract/duplicates/duplicates.calls.ts';
import { MERGE_FIELD_LABEL, type MergeField } from '#contract/duplicates/merge.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';

interface Props {
  group: DuplicateGroup;
  dismissed: boolean;
  busy: boolean;
  onMerge: (records: DuplicateRecord[]) => void;
  onDismiss: (businessIds: number[]) => void;
  onReopen: (businessIds: number[]) => void;
}

/** Records that look like one business, side by side, with what agrees marked. */
export function DuplicateGroupCard({ group, dismissed, busy, onMerge, onDismiss, onReopen }: Props) {
  const titleId = useId();
  const [left, setLeft] = useState<readonly number[]>([]);
  const chosen = group.records.filter(({ id }) => !left.includes(id));
  const ids = chosen.map(({ id }) => id);
  const several = group.records.length > 2;
  const toggle = (id: number) =>
    setLeft((current) => (current.includes(id) ? current.filter((each) => each !== id) : [...current, id]));

  return (
    <li
      aria-labelledby={titleId}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={titleId} className="mr-1 text-lg font-semibold [overflow-wrap:anywhere]">
          {group.records[0]?.name}
        </h2>
        {group.reasons.map((reason) => (
          <Badge key={reason} tone="pine">
            {DUPLICATE_REASON_LABEL[reason]}
          </Badge>
        ))}
        {!dismissed && <span className="text-sm text-muted">{formatScore(group.score)} likely</span>}
      </div>
      <ul aria-label="Records" className={clsx('grid gap-3 sm:grid-cols-2', several && 'lg:grid-cols-3')}>
        {group.records.map((record) => (
          <li
            key={record.id}
            className="flex min-w-0 flex-col gap-2 rounded-md border border-line bg-paper p-3 text-sm"
          >
            {several && (
              <Checkbox
                label={`Choose ${record.name}`}
                checked={!left.includes(record.id)}
                onChange={() => toggle(record.id)}
              />
            )}
            <Record record={record} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {dismissed ? (
          <Button variant="secondary" busy={busy} aria-describedby={titleId} onClick={() => onReopen(ids)}>
            Show as a duplicate again
          </Button>
        ) : (
          <>
            <Button disabled={chosen.length < 2} aria-describedby={titleId} onClick={() => onMerge(chosen)}>
              Merge…
            </Button>
            <Button
              variant="secondary"
              busy={busy}
              disabled={chosen.length < 2}
              aria-describedby={titleId}
              onClick={() => onDismiss(ids)}
            >
              Not a duplicate
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

const SHOWN: MergeField[] = ['name', 'address', 'town', 'phone', 'website'];

function Record({ record }: { record: DuplicateRecord }) {
  return (
    <>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {SHOWN.map((field) => (
          <Value key={field} label={MERGE_FIELD_LABEL[field]} agrees={record.agrees.includes(field)}>
            {record[field]}
          </Value>
        ))}
      </dl>
      {record.leads.length === 0 && <p className="text-muted">No lead</p>}
      <ul aria-label="Leads" className="flex flex-col empty:hidden">
        {record.leads.map(({ uuid, holder, status, archived }) => (
          <li key={uuid}>
            <Link href={`/business/uuid/${uuid}`} className={clsx(linkClass, targetClass)}>
              {`Lead of ${holder.fullName || holder.username}`}
            </Link>{' '}
            <span className="text-muted">{archived ? 'Archived' : LEAD_STATUS_LABEL[status]}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ValueProps {
  label: string;
  agrees: boolean;
  children: string | null;
}

function Value({ label, agrees, children }: ValueProps) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="flex min-w-0 items-start gap-1 [overflow-wrap:anywhere]">
        {/* Without it, its room stays: values are in one line. */}
        <Check
          aria-hidden="true"
          className={clsx('mt-0.5 size-4 shrink-0 text-good-text', !(agrees && children) && 'invisible')}
        />
        {agrees && children && <span className="sr-only">Agrees: </span>}
        <span className={clsx('min-w-0', agrees && children && 'font-medium')}>
          {children ?? <span className="text-muted">None</span>}
        </span>
      </dd>
    </>
  );
}

/** Never 100%: only a person can know. */
const formatScore = (score: number) => `${Math.min(99, Math.round(score * 100))}%`;
