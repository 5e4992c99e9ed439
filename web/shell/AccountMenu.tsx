import { ChevronDown, CircleUserRound, History, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { ThemeSwitch } from '#web/kit/ui/ThemeSwitch.tsx';
import { MenuLinks } from './MenuLinks.tsx';

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

const ACCOUNT = { href: '/account', label: 'Your account', icon: CircleUserRound };
const PROPOSALS = { href: '/proposals', label: 'Proposals', icon: ListChecks };
/** Of administrators it is under "Manage". */
const CHANGES = { href: '/changes', label: 'Recent changes', icon: History };
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
      <MenuLinks
        items={role === 'admin' ? [ACCOUNT, PROPOSALS] : [ACCOUNT, PROPOSALS, CHANGES]}
        onNavigate={onNavigate}
      />
      <div className="flex items-center justify-between gap-4">
        <span aria-hidden="true">Theme</span>
        <ThemeSwitch />
      </div>
    </div>
  );
}
