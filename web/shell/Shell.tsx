import type { ReactNode } from 'react';
import { TooltipProvider } from '#web/kit/ui/Tooltip.tsx';
import { Header } from './Header.tsx';

interface Props {
  meters?: ReactNode;
  bell?: ReactNode;
  children: ReactNode;
}

/** What surrounds every screen of signed-in people. */
export function Shell({ meters, bell, children }: Props) {
  return (
    <TooltipProvider>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-pine px-4 py-2 text-on-pine focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Header meters={meters} bell={bell} />
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-6 sm:py-8">
        {children}
      </main>
    </TooltipProvider>
  );
}
