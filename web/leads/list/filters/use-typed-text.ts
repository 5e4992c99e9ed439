import { useEffect, useEffectEvent, useState } from 'react';
import { useDebounced } from '#web/kit/debounce.ts';
import { type ChangeOptions, useTypingHistoryEntry } from '#web/kit/navigation/url-state.ts';

const DEBOUNCE_MS = 300;

/**
 * The text of a field that takes effect when the user stops typing. `normalise` says what a text means; one from outside
 * replaces a text that means something else.
 */
export function useTypedText(
  given: string,
  normalise: (text: string) => string,
  onSettle: (text: string, options: ChangeOptions) => void,
) {
  const typing = useTypingHistoryEntry();
  const [text, setText] = useState(given);
  const [lastGiven, setLastGiven] = useState(given);

  if (given !== lastGiven) {
    setLastGiven(given);
    if (normalise(text) !== given) setText(given);
  }

  const settle = () => {
    const next = normalise(text);
    if (next !== given) onSettle(next, typing.next());
  };
  const settled = useDebounced(text, DEBOUNCE_MS);
  const settleTyped = useEffectEvent(settle);
  useEffect(() => {
    if (settled === text) settleTyped();
  }, [settled, text]);

  return {
    text,
    setText,
    /** At once, without a pause. */
    settle: () => {
      settle();
      typing.end();
    },
    /** What is typed from now on is a step of its own. */
    end: typing.end,
  };
}
