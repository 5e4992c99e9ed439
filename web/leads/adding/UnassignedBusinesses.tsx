import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { useUnassigned } from './adding.data.ts';
import { TakeLeadButton } from './TakeLeadButton.tsx';

/** What searches have found in a district and is not assigned yet, to take it. */
export function UnassignedBusinesses({ district, type }: { district: string; type: string | undefined }) {
  const { data, isPending, isError, refetch } = useUnassigned(district, type);
  return (
    <section aria-labelledby="unassigned-heading" className="flex flex-col gap-2 border-t border-line pt-3">
      <p id="unassigned-heading" className="text-sm font-semibold">
        Not assigned yet
      </p>
      {isPending && <Skeleton lines={3} />}
      {isError && <ErrorState title="The businesses could not be loaded." onRetry={() => void refetch()} />}
      {data && data.businesses.length > 0 && (
        <ul aria-labelledby="unassigned-heading" className="divide-y divide-line">
          {data.businesses.map((business) => (
            <li key={business.id} className="flex min-h-11 flex-wrap items-center justify-between gap-2 py-2 text-sm">
              <span className="min-w-0 grow basis-48 [overflow-wrap:anywhere]">
                <span className="font-medium">{business.name}</span>
                <span className="block text-muted">
                  {[business.type, business.formattedAddress].filter(Boolean).join(' · ')}
                </span>
              </span>
              <TakeLeadButton business={business} />
            </li>
          ))}
        </ul>
      )}
      {data && <p className="text-sm text-muted">{describe(data)}</p>}
    </section>
  );
}

function describe({ businesses, hasMore }: { businesses: unknown[]; hasMore: boolean }) {
  if (hasMore) return 'A search shows the others.';
  return businesses.length ? 'A search may find more.' : 'All that searches have found here so far is assigned.';
}
