import { useEffect, useRef } from 'react';

/** The heading of a step. It takes the focus when the control that led to it is gone. */
export function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold">
      {children}
    </h2>
  );
}
