import type { ShareBasis } from '#contract/leads/distribution.ts';
import { formatCount } from '#web/kit/format.ts';

const UNIT: Record<ShareBasis, string> = { load: 'open leads', goal: 'contacts to the goal' };

interface Props {
  /** Undefined until they are known. */
  shares: { userId: number; fullName: string; current: number; share: number }[] | undefined;
  by: ShareBasis;
}

/** Who gets how many, so that open leads or contacts to the goal become even. */

export function SharesTable({ shares, by }: Props) {
  return (
    <table aria-busy={!shares} className="w-full text-left text-sm">
      <caption className="sr-only">Who gets how many</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col">User</th>
          <th scope="col" className="text-right">
            Now
          </th>
          <th scope="col" className="text-right">
            Gets
          </th>
        </tr>
      </thead>
      <tbody>
        {shares?.map(({ userId, fullName, current, share }) => (
          <tr key={userId} className="border-t border-line">
            <th scope="row" className="py-1 font-normal">
              {fullName}
            </th>
            <td className="text-right text-muted">{`${formatCount(current)} ${UNIT[by]}`}</td>
            <td className="text-right font-semibold">{formatCount(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
