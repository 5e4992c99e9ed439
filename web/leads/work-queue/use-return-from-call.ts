import { useEffect, useEffectEvent, useRef } from 'react';

/** Runs once when the user is back on the page from a call to this lead. Returns what a link that starts a call does. */
export function useReturnFromCall(uuid: string, onReturn: () => void) {
  const called = useRef<string>(undefined);
  const comeBack = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return;
    if (called.current === uuid) onReturn();
    called.current = undefined;
  });
  useEffect(() => {
    // The telephone of a phone covers the page. Where a call is made beside it, the outcomes are in sight.
    const listener = () => comeBack();
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  }, []);
  return () => {
    called.current = uuid;
  };
}
