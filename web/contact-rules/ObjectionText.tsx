import { OBJECTION_SOURCE_LABEL, OBJECTION_SUBJECT_LABEL, type Objection } from '#contract/contact-rules/objection.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { describeObjection } from './describe-objection.ts';

/** What was said, by whom it was recorded, and whether it still stands. */
export function ObjectionText({ objection }: { objection: Objection }) {
  const timeZone = useTimeZone() ?? 'UTC';
  const { words, source, recordedBy, recordedAt, lifted } = objection;
  return (
    <div className="flex min-w-0 flex-col gap-0.5 text-sm [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
        {describeObjection(objection, timeZone)}
        {lifted && <Badge>Lifted</Badge>}
      </p>
      {words && <p>“{words}”</p>}
      <p className="text-muted">
        {OBJECTION_SOURCE_LABEL[source]}, recorded by {recordedBy}
        {formatDate(recordedAt, timeZone) !== formatDate(objection.since, timeZone) &&
          ` on ${formatDate(recordedAt, timeZone)}`}
      </p>
      {lifted && (
        <p className="text-muted">
          Lifted by {lifted.by} on {formatDate(lifted.at, timeZone)}: {lifted.reason}
        </p>
      )}
    </div>
  );
}

/** What an objection is about. */
export const describeSubjects = ({ subjects }: Pick<Objection, 'subjects'>) =>
  subjects.map(({ kind, value }) => value ?? `${OBJECTION_SUBJECT_LABEL[kind]} (only its hash is kept)`);
