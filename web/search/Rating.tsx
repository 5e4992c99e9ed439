import { Star, StarHalf } from 'lucide-react';
import { formatCount } from '#web/kit/format.ts';

const STARS = [1, 2, 3, 4, 5];

interface Props {
  rating: number | null;
  reviews: number | null;
}

/** Five stars, with a half star from .5, and the number. */
export function Rating({ rating, reviews }: Props) {
  if (rating === null) return <span className="text-sm text-muted">Not rated</span>;
  const half = rating % 1 >= 0.5 ? Math.floor(rating) + 1 : 0;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 align-middle text-sm">
      <span role="img" aria-label={`${rating.toFixed(1)} out of 5 stars`} className="inline-flex text-warn-text">
        {STARS.map((star) => (
          <span key={star} className="relative">
            <Star className="size-4 opacity-40" />
            {star <= rating && <Star data-star="full" className="absolute inset-0 size-4 fill-current" />}
            {star === half && <StarHalf data-star="half" className="absolute inset-0 size-4 fill-current" />}
          </span>
        ))}
      </span>
      <span className="font-medium">{rating.toFixed(1)}</span>
      {reviews !== null && (
        <span className="text-muted">
          ({formatCount(reviews)} {reviews === 1 ? 'review' : 'reviews'})
        </span>
      )}
    </span>
  );
}
