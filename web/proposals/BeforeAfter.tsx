import type { ShownProposedChange } from '#contract/proposals/proposal.ts';

/** "Status: New → In Progress", and why it cannot be made. */
export function BeforeAfter({ change: { label, before, after, problem } }: { change: ShownProposedChange }) {
  return (
    <div className="min-w-0 text-sm [overflow-wrap:anywhere]">
      <p className="whitespace-pre-wrap">
        <span className="text-muted">{label}: </span>
        {before !== null && (
          <>
            <span className="sr-only">before </span>
            <s className="text-muted">{before}</s>
            <span aria-hidden="true"> → </span>
            <span className="sr-only">, after </span>
          </>
        )}
        {after ?? (before === null ? '' : <i>none</i>)}
      </p>
      {problem && <p className="text-danger-text">{problem}</p>}
    </div>
  );
}
