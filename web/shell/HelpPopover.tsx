import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useSettings } from '#web/auth/settings.data.ts';
import { openShortcuts } from '#web/commands/dialogs.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { ContactLink } from '#web/kit/ui/ContactLink.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';

interface Props {
  inDialog?: boolean;
  /** A link to another screen was opened. */
  onNavigate?: () => void;
}

export function HelpPopover({ inDialog = false, onNavigate }: Props) {
  const [open, setOpen] = useState(false);
  const showShortcuts = () => {
    setOpen(false);
    // After the popover has given the focus back, so that the dialog can do the same.
    setTimeout(openShortcuts);
  };
  return (
    <Popover
      label="Help"
      inDialog={inDialog}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" size="sm">
          <CircleHelp aria-hidden="true" className="wide:hidden" />
          Help
        </Button>
      }
    >
      <HelpText
        onShortcuts={showShortcuts}
        onNavigate={() => {
          setOpen(false);
          onNavigate?.();
        }}
      />
    </Popover>
  );
}

function HelpText({ onShortcuts, onNavigate }: { onShortcuts: () => void; onNavigate: () => void }) {
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
      <Link href="/help/phone" onClick={onNavigate} className={`self-start ${linkClass} ${targetClass}`}>
        On your phone
      </Link>
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
