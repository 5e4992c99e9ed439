import { LogOut, TrendingUp, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useLogout, useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Logo } from '#web/kit/ui/Logo.tsx';
import { ThemeSwitch } from '#web/kit/ui/ThemeSwitch.tsx';
import { HelpPopover } from './HelpPopover.tsx';
import { ProgressMeterSlot } from './ProgressMeterSlot.tsx';

export function Header({ meters }: { meters?: ReactNode }) {
  const viewer = useViewer();
  const logout = useLogout();

  return (
    <header className="border-b border-line bg-surface">
      <div aria-hidden="true" className="awning h-1" />
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 sm:px-6">
        <Link href="/" className="rounded-md py-1">
          <Logo />
        </Link>
        <ProgressMeterSlot>{meters}</ProgressMeterSlot>
        <div className="ml-auto flex items-center gap-1">
          <HelpPopover />
          <Button variant="ghost" size="sm" busy={logout.isPending} onClick={() => logout.mutate()}>
            {!logout.isPending && <LogOut aria-hidden="true" className="size-4.5" />}
            {logout.isPending ? 'Logging out...' : 'Logout'}
          </Button>
        </div>
        <div className="flex w-full items-center gap-x-4 md:w-auto">
          <nav aria-label="Main" className="flex gap-1 empty:hidden">
            {viewer.role !== 'user' && (
              <NavLink href="/progress" icon={<TrendingUp aria-hidden="true" className="size-4.5" />}>
                Progress
              </NavLink>
            )}
            {viewer.role === 'admin' && (
              <NavLink href="/users" icon={<Users aria-hidden="true" className="size-4.5" />}>
                Users
              </NavLink>
            )}
          </nav>
          <p className="min-w-0 flex-1 truncate text-sm text-muted md:max-w-56" title={viewer.username}>
            {viewer.fullName || viewer.username}
          </p>
          <ThemeSwitch />
        </div>
      </div>
    </header>
  );
}

function NavLink({ href, icon, children }: { href: string; icon: ReactNode; children: string }) {
  const [path] = useLocation();
  return (
    <Link
      href={href}
      aria-current={path === href ? 'page' : undefined}
      className="inline-flex min-h-9 items-center gap-2 rounded-md px-3 text-sm font-medium hover:bg-sunken aria-[current=page]:bg-pine-soft aria-[current=page]:text-pine-text"
    >
      {icon}
      {children}
    </Link>
  );
}
