import { Link } from 'wouter';
import { formatCount } from '#web/kit/format.ts';

/** A figure that opens its leads; `of` names it for screen readers. */
export function CountLink({ href, count, of }: { href: string; count: number; of: string }) {
  return (
    <Link
      href={href}
      aria-label={`${formatCount(count)}, ${of}: show these leads`}
      className="hit-area underline underline-offset-2"
    >
      {formatCount(count)}
    </Link>
  );
}
