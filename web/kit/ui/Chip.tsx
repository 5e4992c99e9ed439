import { X } from 'lucide-react';

interface Props {
  children: string;
  /** The accessible name of the button that removes it. */
  removeLabel: string;
  onRemove: () => void;
}

/** A value in use, and the button that removes it. */
export function Chip({ children, removeLabel, onRemove }: Props) {
  return (
    <span className="inline-flex max-w-full items-center rounded-full border border-line bg-surface pl-3 text-sm">
      <span className="truncate">{children}</span>
      <button
        type="button"
        aria-label={removeLabel}
        title={removeLabel}
        onClick={onRemove}
        className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:text-ink sm:size-8"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </span>
  );
}
