import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { isWithin, managedItemsFor } from './navigation.ts';

/** What administrators look after; nothing for others. */
export function ManageMenu() {
  const items = managedItemsFor(useViewer().role);
  const [path] = useLocation();
  const [open, setOpen] = useState(false);
  if (!items.length) return null;
  const isHere = items.some(({ href }) => isWithin(path, href));
  return (
    <Popover
      label="Manage"
      size="w-56 p-4"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" size="sm" className={isHere ? 'bg-pine-soft text-pine-text' : ''}>
          Manage
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <nav aria-label="Manage">
        <MenuLinks items={items} onNavigate={() => setOpen(false)} />
      </nav>
    </Popover>
  );
}
