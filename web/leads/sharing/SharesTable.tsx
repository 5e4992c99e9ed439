import type { ShareBasis } from '#contract/leads/sharing/distribution.ts';
import { formatCount } from '#web/kit/format.ts';

const UNIT: Record<ShareBasis, string> = { load: 'open leads', goal: 'contacts to the goal' };

interface UserShare {
  userId: number;
  fullName: string;
  current: number;
  /** How many of those that are shared out stay with this user. */
  held?: number;
  share: number;
}

interface Props {
  /** Undefined until they are known. */
  shares: UserShare[] | undefined;
  basis: ShareBasis;
}

/** Who gets how many, so that open leads or contacts to the goal become even. */
export function SharesTable({ shares, basis }: Props) {
  const someStay = shares?.some(({ held = 0 }) => held > 0);
  return (
    <table aria-busy={!shares} className="w-full text-left text-sm">
      <caption className="sr-only">Who gets how many</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col">User</th>
          <th scope="col" className="text-right">
            Now
          </th>
          {someStay && (
            <th scope="col" className="text-right">
              Keeps
            </th>
          )}
          <th scope="col" className="text-right">
            Gets
          </th>
        </tr>
      </thead>
      <tbody>
        {shares?.map(({ userId, fullName, current, held = 0, share }) => (
          <tr key={userId} className="border-t border-line">
            <th scope="row" className="py-1 font-normal">
              {fullName}
            </th>
            <td className="text-right text-muted">{`${formatCount(current)} ${UNIT[basis]}`}</td>
            {someStay && <td className="text-right">{formatCount(held)}</td>}
            <td className="text-right font-semibold">{formatCount(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
