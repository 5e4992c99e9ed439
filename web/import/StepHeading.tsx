import { useEffect, useRef } from 'react';

/** The heading of a step, which `useStepFocus` focuses. */
export function StepHeading({ children }: { children: string }) {
  return (
    <h2 tabIndex={-1} className="text-lg font-semibold">
      {children}
    </h2>
  );
}

/** When another step is shown and the focused control is gone with the one before, its heading takes the focus. */
export function useStepFocus(step: string) {
  const container = useRef<HTMLDivElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step && document.activeElement === document.body) {
      container.current?.querySelector('h2')?.focus();
    }
    before.current = step;
  }, [step]);
  return container;
}
