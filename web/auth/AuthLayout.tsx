import type { ReactNode } from 'react';
import { LogoMark } from '#web/kit/ui/Logo.tsx';
import { PageTitle } from '#web/kit/ui/Page.tsx';
import { ThemeSwitch } from '#web/kit/ui/ThemeSwitch.tsx';
import { Street } from './Street.tsx';

interface Props {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
}

/** The layout of the screens before sign-in: the brand panel beside one form. */
export function AuthLayout({ title, intro, children }: Props) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[minmax(24rem,5fr)_7fr] lg:grid-rows-1">
      <header className="flex flex-col overflow-hidden bg-front text-on-front lg:sticky lg:top-0 lg:h-dvh">
        <div className="flex items-center gap-3 px-5 py-4 lg:px-10 lg:pt-10">
          <LogoMark className="size-9 rounded-lg ring-1 ring-on-front/20" />
          <span className="text-xl font-bold tracking-tight">Highstreet</span>
        </div>
        <div className="hidden flex-1 flex-col justify-center gap-4 px-10 py-10 lg:flex">
          <p className="max-w-sm text-3xl font-semibold tracking-tight text-balance">
            The businesses on the high street, worked as a team.
          </p>
          <p className="max-w-sm text-on-front-muted">
            Find them, share them out as leads, and see how far everyone has come.
          </p>
        </div>
        <Street className="hidden w-full lg:block" />
        <div aria-hidden="true" className="awning h-2 lg:hidden" />
      </header>
      <div className="flex flex-col">
        <main className="mx-auto flex w-full max-w-md flex-1 flex-col gap-6 px-5 py-10 lg:justify-center">
          <div className="flex flex-col gap-2">
            <PageTitle>{title}</PageTitle>
            {intro && <div className="text-muted">{intro}</div>}
          </div>
          {children}
        </main>
        <footer className="flex justify-center p-5 lg:justify-end">
          <ThemeSwitch />
        </footer>
      </div>
    </div>
  );
}
