import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { focusIfRequested } from '#web/kit/navigation/heading-focus.ts';

interface Props {
  title: string;
  /** Badges beside the title. */
  aside?: ReactNode;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  back?: { href: string; label: string };
  children: ReactNode;
}

/** The frame of every screen. Its heading names the document and takes the focus after a navigation. */
export function Page({ title, aside, actions, back, children }: Props) {
  return (
    <div className="flex flex-1 flex-col gap-2 md:gap-4 print:gap-2">
      <div className="flex flex-col gap-2">
        {back && (
          <Link
            href={back.href}
            className="hit-area inline-flex items-center gap-1 self-start py-1 text-sm font-medium text-pine-text hover:underline"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            {back.label}
          </Link>
        )}
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 md:min-h-10 print:min-h-0">
          <div className="flex min-w-0 grow basis-36 flex-wrap items-center gap-x-3">
            <PageTitle>{title}</PageTitle>
            {aside}
          </div>
          {actions && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
        </div>
      </div>
      {children}
    </div>
  );
}

export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Highstreet`;
  }, [children]);
  useEffect(() => focusIfRequested(heading.current), []);

  return (
    <h1 ref={heading} tabIndex={-1} className="min-w-0 text-lg font-semibold md:text-2xl print:text-xl">
      {children}
    </h1>
  );
}
