import { BellRing, ChevronDown, Copy, History, type LucideIcon, ScrollText, Server } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { ThemeSwitch } from '#web/kit/ui/ThemeSwitch.tsx';

/** Behind the user's name: the account and the settings of this browser. */
export function AccountMenu() {
  const { fullName, username } = useViewer();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="Account"
      size="w-64 p-4"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" size="sm" className="min-w-0">
          <span className="max-w-24 truncate">{fullName || username}</span>
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <AccountSettings onNavigate={() => setOpen(false)} />
    </Popover>
  );
}

const ROLE_LABEL = { user: 'User', manager: 'Manager', admin: 'Administrator' };

/** `onNavigate`: a link to another screen was opened. */
export function AccountSettings({ onNavigate }: { onNavigate: () => void }) {
  const { fullName, username, email, role } = useViewer();
  return (
    <div className="flex flex-col gap-4">
      <div className="min-w-0">
        <p className="truncate font-semibold">{fullName || username}</p>
        <p className="truncate text-muted">{email}</p>
        <p className="text-muted">{ROLE_LABEL[role]}</p>
      </div>
      <div className="-mx-2 flex flex-col">
        <MenuLink href="/changes" icon={History} onClick={onNavigate}>
          Recent changes
        </MenuLink>
        <MenuLink href="/reminders" icon={BellRing} onClick={onNavigate}>
          Reminders
        </MenuLink>
        {role === 'admin' && (
          <>
            <MenuLink href="/duplicates" icon={Copy} onClick={onNavigate}>
              Duplicates
            </MenuLink>
            <MenuLink href="/audit" icon={ScrollText} onClick={onNavigate}>
              Audit log
            </MenuLink>
            <MenuLink href="/system" icon={Server} onClick={onNavigate}>
              System
            </MenuLink>
          </>
        )}
      </div>
      <div className="flex items-center justify-between gap-4">
        <span aria-hidden="true">Theme</span>
        <ThemeSwitch />
      </div>
    </div>
  );
}

interface MenuLinkProps {
  href: string;
  icon: LucideIcon;
  onClick: () => void;
  children: string;
}

function MenuLink({ href, icon: Icon, onClick, children }: MenuLinkProps) {
  return (
    <Link
      href={href}
      onClick={onClick}
      className="flex min-h-11 items-center gap-2 rounded-md px-2 font-medium hover:bg-sunken max-sm:gap-3 max-sm:text-base sm:min-h-9"
    >
      <Icon aria-hidden="true" className="size-4 max-sm:size-5" />
      {children}
    </Link>
  );
}
