import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, Check, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { IconButton } from '#web/kit/ui/IconButton.tsx';

interface ListedStop {
  id: number;
  name: string;
  /** It keeps its place, and cannot be dropped. */
  done?: boolean;
}

interface Props<Stop extends ListedStop> {
  stops: readonly Stop[];
  /** The id of the stop that the user is at or on the way to. */
  current?: number | undefined;
  list?: RefObject<HTMLOListElement | null>;
  /** What is shown of a stop beside its number. */
  children: (stop: Stop, index: number) => ReactNode;
  dropDisabledReason?: string | undefined;
  onReorder: (stops: Stop[]) => void;
  onDrop: (stop: Stop) => void;
  /** Below the last stop. */
  footer?: ReactNode;
}

type Direction = 'up' | 'down';

/** Stops in their order, which the user can change. */
export function StopList<Stop extends ListedStop>(props: Props<Stop>) {
  const { stops, current, children, dropDisabledReason, onReorder, onDrop, footer } = props;
  const ownList = useRef<HTMLOListElement>(null);
  const list = props.list ?? ownList;
  const [moved, setMoved] = useState<{ id: number; direction: Direction }>();
  const position = moved ? stops.findIndex(({ id }) => id === moved.id) : -1;

  // The browser takes the focus away from an element that changes its place.
  useEffect(() => {
    if (!moved) return;
    const button = list.current?.querySelector(`[data-stop="${moved.id}"] [data-move="${moved.direction}"]`);
    if (button instanceof HTMLElement) button.focus();
  }, [moved, list]);

  const movable = stops.filter(({ done }) => !done);
  const findNeighbour = (stop: Stop, direction: Direction) =>
    movable[movable.indexOf(stop) + (direction === 'up' ? -1 : 1)];

  function move(stop: Stop, direction: Direction) {
    const neighbour = findNeighbour(stop, direction);
    if (!neighbour) return;
    const others = stops.filter((other) => other !== stop);
    others.splice(others.indexOf(neighbour) + (direction === 'up' ? 0 : 1), 0, stop);
    onReorder(others);
    setMoved({ id: stop.id, direction });
  }

  return (
    <>
      <p role="status" className="sr-only">
        {moved && position >= 0 && `${stops[position]?.name} is now stop ${position + 1} of ${stops.length}`}
      </p>
      <ol ref={list} className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {stops.map((stop, index) => (
          <li
            key={stop.id}
            data-stop={stop.id}
            aria-current={stop.id === current ? 'step' : undefined}
            className={clsx('flex gap-3 p-3 text-sm', stop.id === current && 'bg-pine-soft')}
          >
            <span
              aria-hidden="true"
              className={clsx(
                'grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold',
                stop.done ? 'bg-good-soft text-good-text' : 'bg-pine text-on-pine',
              )}
            >
              {stop.done ? <Check className="size-4" /> : index + 1}
            </span>
            {children(stop, index)}
            {!stop.done && (
              <div className="-my-1 -mr-1 flex shrink-0 flex-col">
                <IconButton
                  data-move="up"
                  icon={ArrowUp}
                  label={`Move ${stop.name} up`}
                  disabledReason={findNeighbour(stop, 'up') ? undefined : 'This is the first stop'}
                  onClick={() => move(stop, 'up')}
                />
                <IconButton
                  data-move="down"
                  icon={ArrowDown}
                  label={`Move ${stop.name} down`}
                  disabledReason={findNeighbour(stop, 'down') ? undefined : 'This is the last stop'}
                  onClick={() => move(stop, 'down')}
                />
                <IconButton
                  data-drop
                  icon={X}
                  label={`Drop ${stop.name}`}
                  disabledReason={dropDisabledReason}
                  onClick={() => onDrop(stop)}
                />
              </div>
            )}
          </li>
        ))}
        {footer && <li className="p-3 text-sm text-muted">{footer}</li>}
      </ol>
    </>
  );
}
