import { Link } from 'wouter';
import { formatCount } from '#web/kit/format.ts';

interface Props {
  href: string;
  count: number;
  /** The figure, for screen readers. */
  of: string;
  /** What it opens. */
  rows?: 'leads' | 'contacts';
}

/** A figure that opens what it counts. */
export function CountLink({ href, count, of, rows = 'leads' }: Props) {
  return (
    <Link
      href={href}
      aria-label={`${formatCount(count)}, ${of}: show these ${rows}`}
      className="hit-area underline underline-offset-2"
    >
      {formatCount(count)}
    </Link>
  );
}
