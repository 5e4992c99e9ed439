import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { PaletteOption } from './PaletteItems.tsx';

interface Options {
  options: PaletteOption[];
  /** Options that come before those shown are still being loaded. */
  isPending: boolean;
}

/**
 * The option that Enter runs: the one that the user moved to, or else the first that changes nothing. Enter while options
 * are loading is kept until they have come.
 */
export function useSelectedOption({ options, isPending }: Options) {
  const [moved, move] = useState<string>();
  const [entered, setEntered] = useState(false);
  const movedTo = options.find(({ value }) => value === moved);
  const preselected = isPending ? undefined : options.find(({ atOnce }) => !atOnce);
  const selected = movedTo ?? preselected;

  const waiting = entered && isPending && !movedTo;
  const runKept = useEffectEvent(() => {
    setEntered(false);
    selected?.onSelect();
  });
  useEffect(() => {
    if (entered && !waiting) runKept();
  }, [entered, waiting]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') setEntered(true);
    else if (isMove(event.key))
      move(options[nextIndex(event.key, selected ? options.indexOf(selected) : -1, options.length)]?.value);
    else return;
    event.preventDefault();
  };
  return {
    selected,
    onKeyDown,
    move: (option: PaletteOption) => move(option.value),
    enter: () => setEntered(true),
    /** After another text was typed. */
    reset: () => {
      move(undefined);
      setEntered(false);
    },
  };
}

const MOVES = ['ArrowDown', 'ArrowUp', 'Home', 'End'] as const;
type Move = (typeof MOVES)[number];
const isMove = (key: string): key is Move => MOVES.some((move) => move === key);

/** Past the last comes the first. */
function nextIndex(key: Move, from: number, count: number): number {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowDown') return from + 1 < count ? from + 1 : 0;
  return from > 0 ? from - 1 : count - 1;
}
