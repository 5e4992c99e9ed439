import { type ComponentType, type ReactNode, useEffect } from 'react';
import { keepFocus } from '#web/kit/navigation/keep-focus.ts';
import { restoreScrollPositions } from '#web/kit/navigation/scroll-restoration.ts';
import { followKeyboard } from '#web/kit/style/keyboard-inset.ts';
import { useMediaQuery, WIDE_SCREEN } from '#web/kit/style/media-query.ts';
import { TooltipProvider } from '#web/kit/ui/overlays/Tooltip.tsx';
import { BottomBar } from './BottomBar.tsx';
import { Header } from './Header.tsx';

interface Props {
  loadMeters: () => Promise<ComponentType>;
  loadBell: () => Promise<ComponentType>;
  loadOutbox: () => Promise<ComponentType>;
  children: ReactNode;
}

/** What surrounds every screen of signed-in users. */
export function Shell({ children, ...parts }: Props) {
  const wide = useMediaQuery(WIDE_SCREEN);
  useEffect(() => restoreScrollPositions(), []);
  useEffect(() => keepFocus(), []);
  useEffect(() => followKeyboard(), []);
  return (
    <TooltipProvider>
      <div className="flex min-h-dvh flex-col print:block print:min-h-0">
        <a
          href="#content"
          className="sr-only z-toast print:hidden rounded-md bg-pine text-on-pine focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:px-4 focus:py-2"
        >
          Skip to content
        </a>
        <Header {...parts} />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-page flex-1 flex-col px-4 pt-2 pb-[calc(--spacing(20)+env(safe-area-inset-bottom))] sm:px-6 wide:py-6 print:p-0"
        >
          {children}
        </main>
        {!wide && <BottomBar />}
      </div>
    </TooltipProvider>
  );
}
