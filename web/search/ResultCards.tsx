import { ResultCard } from './ResultCard.tsx';
import type { ResultsProps } from './ResultTable.tsx';

export function ResultCards({ results, selection }: ResultsProps) {
  return (
    <ul aria-label="Businesses" className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {results.map((result) => (
        <li key={result.placeId} className="min-w-0">
          <ResultCard
            result={result}
            selected={selection.ids.has(result.placeId)}
            onSelect={() => selection.toggle(result.placeId)}
          />
        </li>
      ))}
    </ul>
  );
}
