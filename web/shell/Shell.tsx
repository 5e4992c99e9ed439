import type { ComponentType, ReactNode } from 'react';
import { TooltipProvider } from '#web/kit/ui/Tooltip.tsx';
import { Header } from './Header.tsx';

interface Props {
  loadMeters: () => Promise<ComponentType>;
  loadBell: () => Promise<ComponentType>;
  children: ReactNode;
}

/** What surrounds every screen of signed-in people. */
export function Shell({ loadMeters, loadBell, children }: Props) {
  return (
    <TooltipProvider>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-pine px-4 py-2 text-on-pine focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Header loadMeters={loadMeters} loadBell={loadBell} />
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-6 sm:py-8">
        {children}
      </main>
    </TooltipProvider>
  );
}
