import { clsx } from 'clsx';
import { Link } from 'wouter';
import { ATTENTION_LABEL, type LeadAttention, leadAttention } from '#contract/leads/lead-filter.ts';
import type { MemberLeads } from '#contract/progress/progress.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { leadListPath } from './lead-list-path.ts';

interface Props {
  leads: Counts;
  userId: number;
  /** The name of the user, for screen readers. */
  name: string;
}

type Counts = Pick<MemberLeads, 'overdue' | 'longOverdue' | 'uncontacted' | 'quiet'>;

/** Loose ends are on the reports: with them, nearly every user would have some. */
type Counted = Exclude<LeadAttention, 'loose'>;
const COUNT: Record<Counted, { of: keyof Counts; className: string }> = {
  overdue: { of: 'overdue', className: 'text-danger-text xl:col-start-2' },
  long_overdue: { of: 'longOverdue', className: 'text-danger-text xl:col-start-3' },
  uncontacted: { of: 'uncontacted', className: 'text-warn-text xl:col-start-4' },
  quiet: { of: 'quiet', className: 'text-warn-text xl:col-start-5' },
};

const COUNTED = leadAttention.exclude(['loose']).options;

/** "3 overdue", "2 going quiet" and so on, each a link to these leads; nothing where there are none. */
export function LeadCounts({ leads, userId, name }: Props) {
  return COUNTED.map((attention) => {
    const { of, className } = COUNT[attention];
    const text = `${formatCount(leads[of])} ${ATTENTION_LABEL[attention].toLowerCase()}`;
    return (
      leads[of] > 0 && (
        <CountLink key={attention} {...{ attention, userId, name, className }}>
          {text}
        </CountLink>
      )
    );
  });
}

interface CountLinkProps extends Omit<Props, 'leads'> {
  attention: LeadAttention;
  className: string;
  children: string;
}

function CountLink({ userId, name, attention, className, children }: CountLinkProps) {
  return (
    <Link
      href={leadListPath(useViewer(), userId, attention)}
      aria-label={`${children} of ${name}`}
      className={clsx(
        'hit-area justify-self-start font-medium whitespace-nowrap underline underline-offset-2',
        className,
      )}
    >
      {children}
    </Link>
  );
}
