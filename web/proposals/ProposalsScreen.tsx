import { ListChecks } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'wouter';
import { PROPOSAL_DAYS, type Proposal } from '#contract/proposals/proposal.ts';
import { formatCounted } from '#web/kit/format.ts';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { ClosedProposal } from './ClosedProposal.tsx';
import { OpenProposal } from './OpenProposal.tsx';
import { useDecide, useProposals } from './proposals.data.ts';

/** What assistants and other programs propose to change on leads, to be accepted or declined. */
export function ProposalsScreen() {
  const proposals = useProposals();
  const decide = useDecide();
  const count = useRef<HTMLParagraphElement>(null);
  const isOpen = ({ state }: Proposal) => state === 'open';
  const open = proposals.data?.filter(isOpen);
  const closed = proposals.data?.filter((proposal) => !isOpen(proposal)) ?? [];
  // The buttons of a decided proposal are gone.
  const focusCount = () => count.current?.focus();

  return (
    <Page
      title="Proposals"
      aside={
        <p ref={count} tabIndex={-1} aria-live="polite" className="text-sm text-muted">
          {open && `${formatCounted(open.length, 'proposal')} to decide`}
        </p>
      }
    >
      {proposals.isPending && <Loading label="Loading proposals…" />}
      {proposals.isLoadingError && (
        <ErrorState title="Proposals could not be loaded" onRetry={() => void proposals.refetch()}>
          {proposals.error.message}
        </ErrorState>
      )}
      {/* A live region must exist before its content. */}
      <div role="status" className="empty:hidden">
        {open?.length === 0 && <NothingToDecide />}
      </div>
      {open && open.length > 0 && (
        <ul aria-label="Proposals" className="flex flex-col gap-4">
          {open.map((proposal) => (
            <OpenProposal
              key={proposal.id}
              proposal={proposal}
              busy={decide.isPending}
              onDecide={(accept) => decide.mutate({ proposalId: proposal.id, accept }, { onSuccess: focusCount })}
            />
          ))}
        </ul>
      )}
      {proposals.isRefetchError && (
        <Notice tone="danger">The list could not be refreshed: {proposals.error.message}</Notice>
      )}
      {closed.length > 0 && (
        <section aria-labelledby="closed-proposals" className="flex flex-col gap-3 pt-4">
          <h2 id="closed-proposals" className="text-lg font-semibold">
            Decided and expired
          </h2>
          <ul
            aria-labelledby="closed-proposals"
            className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface"
          >
            {closed.map((proposal) => (
              <ClosedProposal key={proposal.id} proposal={proposal} />
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}

const NothingToDecide = () => (
  <EmptyState icon={ListChecks} title="Nothing to decide">
    Assistants and other programs with a token that may change leads propose changes here. You have {PROPOSAL_DAYS} days
    to accept or decline each. Make a token in{' '}
    <Link href="/account#programs" className={linkClass}>
      Your account
    </Link>
    .
  </EmptyState>
);
