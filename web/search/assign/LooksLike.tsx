import { Link } from 'wouter';
import { DUPLICATE_REASON_LABEL, type DuplicateMatch } from '#contract/duplicates/duplicate.ts';
import type { BusinessResult } from '#contract/search/search.ts';
import { useDuplicateMatches } from '#web/duplicates/duplicates.data.ts';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';

/** Which of these businesses look like one that is a lead already. A hint: it neither blocks nor fails the assignment. */
export function LooksLike({ businesses }: { businesses: BusinessResult[] }) {
  const { data: matches = [] } = useDuplicateMatches(businesses.map(({ id }) => id));
  const names = new Map(businesses.map(({ id, name }) => [id, name]));
  if (!matches.length) return null;
  return (
    <div className="mb-4">
      <Notice>
        <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto">
          {matches.map(({ businessId, match, leadUuid }) => (
            <li key={businessId} className="[overflow-wrap:anywhere]">
              {businesses.length > 1 && `${names.get(businessId)}: `}
              Looks like{' '}
              <Link href={`/business/uuid/${leadUuid}`} className={linkClass}>
                {formatMatch(match)}
              </Link>
              : {formatReasons(match)}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

const formatMatch = ({ name, town }: DuplicateMatch) => (town ? `${name} in ${town}` : name);

/** "same phone, similar name, same postcode" */
const formatReasons = ({ reasons }: DuplicateMatch) =>
  reasons.map((reason) => DUPLICATE_REASON_LABEL[reason].toLowerCase()).join(', ');
