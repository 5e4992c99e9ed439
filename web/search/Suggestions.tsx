import { clsx } from 'clsx';

interface Props {
  id: string;
  matches: string[];
  active: number;
  typed: string;
  optionId: (index: number) => string;
  onPick: (match: string) => void;
}

/** The list under a field. The field keeps the focus and the keys; what is active in the list is its business too. */
export function Suggestions({ id, matches, active, typed, optionId, onPick }: Props) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Suggestions"
      // A press on the list, its scroll bar included, must not take the focus out of the field, which would close it.
      onMouseDown={(event) => event.preventDefault()}
      // On a phone it stands in the way of nothing: what follows moves down.
      className="inset-x-0 top-full z-30 mt-1 max-h-60 md:absolute animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1 text-sm shadow-over"
    >
      {matches.map((match, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the field, which has the keys
        <div
          key={match}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          ref={(option) => {
            if (index === active) option?.scrollIntoView?.({ block: 'nearest' });
          }}
          onClick={() => onPick(match)}
          className={clsx(
            'flex min-h-9 cursor-pointer items-center rounded-sm px-3 hover:bg-sunken',
            index === active && 'bg-sunken',
          )}
        >
          <Marked text={match} part={typed.trim()} />
        </div>
      ))}
    </div>
  );
}

/** Shows which part was typed. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  return (
    <span>
      {text.slice(0, at)}
      <strong className="font-semibold">{text.slice(at, at + part.length)}</strong>
      {text.slice(at + part.length)}
    </span>
  );
}
