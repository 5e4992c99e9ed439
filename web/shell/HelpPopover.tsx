import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { useSettings } from '#web/auth/settings.data.ts';
import { openShortcuts } from '#web/commands/dialogs.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { ContactLink } from '#web/kit/ui/ContactLink.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';

export function HelpPopover() {
  const [open, setOpen] = useState(false);
  const showShortcuts = () => {
    setOpen(false);
    // After the popover has given the focus back, so that the dialog can do the same.
    setTimeout(openShortcuts);
  };
  return (
    <Popover
      label="Help"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" size="sm">
          <CircleHelp aria-hidden="true" className="wide:hidden" />
          Help
        </Button>
      }
    >
      <HelpText onShortcuts={showShortcuts} />
    </Popover>
  );
}

function HelpText({ onShortcuts }: { onShortcuts: () => void }) {
  const settings = useSettings();
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-base font-semibold">Need Help?</h2>
      <p className="text-muted">Contact the support team with any question or problem.</p>
      {settings.isPending && <p className="text-muted">Looking up the address…</p>}
      {settings.isError && (
        <p className="text-danger-text">The address could not be looked up. Please try again later.</p>
      )}
      {settings.data && (
        <p>
          <ContactLink means="email" to={settings.data.supportEmail} className="break-all" />
        </p>
      )}
      <button
        type="button"
        onClick={onShortcuts}
        className="self-start py-1 font-medium text-pine-text underline underline-offset-3 hover:decoration-2"
      >
        Keyboard shortcuts
      </button>
    </div>
  );
}
