import { clsx } from 'clsx';
import { Link } from 'wouter';
import type { LeadAttention } from '#contract/leads/lead-filter.ts';
import type { MemberLeads } from '#contract/progress/progress.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { leadListPath } from './lead-list-path.ts';

interface Props {
  leads: Pick<MemberLeads, 'overdue' | 'quiet'>;
  userId: number;
  /** The name of the user, for screen readers. */
  name: string;
}

/** "3 overdue" and "2 going quiet", each a link to these leads; nothing where there are none. */
export function LeadCounts({ leads: { overdue, quiet }, userId, name }: Props) {
  const common = { userId, name };
  return (
    <>
      {overdue > 0 && (
        <CountLink {...common} attention="overdue" count={overdue} text="overdue" className="text-danger-text" />
      )}
      {quiet > 0 && (
        <CountLink
          {...common}
          attention="quiet"
          count={quiet}
          text="going quiet"
          className="text-warn-text sm:col-start-3"
        />
      )}
    </>
  );
}

interface CountLinkProps extends Omit<Props, 'leads'> {
  attention: LeadAttention;
  count: number;
  text: string;
  className: string;
}

function CountLink({ userId, name, attention, count, text, className }: CountLinkProps) {
  return (
    <Link
      href={leadListPath(useViewer(), userId, attention)}
      aria-label={`${formatCount(count)} ${text} of ${name}`}
      className={clsx(
        'hit-area justify-self-start font-medium whitespace-nowrap underline underline-offset-2',
        className,
      )}
    >
      {`${formatCount(count)} ${text}`}
    </Link>
  );
}
