import { MapPinned, NotebookPen, Phone } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { LeadBusiness } from '#contract/leads/lead.ts';
import { useCall } from '#web/contact-rules/barrier.ts';
import { CallButton } from '#web/contact-rules/CheckedLink.tsx';
import { useMediaQuery } from '#web/kit/style/media-query.ts';
import { Button, OutsideButtonLink } from '#web/kit/ui/Button.tsx';
import { directionsUrl } from '#web/leads/lead-links.ts';

interface Props {
  business: LeadBusiness;
  imported: boolean;
  /** Undefined for a viewer who may only read the lead. */
  onLog: (() => void) | undefined;
}

const icon = { 'aria-hidden': true } as const;
const ROOM_BESIDE_TITLE = '(min-width: 48rem)';

/** Call and Log beside the title; on phones in a bar above the navigation, with Directions. */
export function ContactActions({ business, imported, onLog }: Props) {
  const beside = useMediaQuery(ROOM_BESIDE_TITLE);
  const { callable, barrier } = useCall(business);
  const address = imported ? null : business.formattedAddress?.trim();
  if (!callable && !onLog && (beside || !address)) return null;
  const layout = beside ? {} : { className: 'min-w-0 flex-auto max-md:px-2' };

  const actions = (
    <>
      {callable && (
        // Once the call is over, its outcome is logged.
        <CallButton to={business.phone ?? ''} barrier={barrier} onOpen={onLog} {...layout}>
          <Phone {...icon} />
          Call
        </CallButton>
      )}
      {onLog && (
        <Button variant="secondary" aria-keyshortcuts="l" onClick={onLog} {...layout}>
          <NotebookPen {...icon} />
          Log
        </Button>
      )}
      {!beside && address && (
        <OutsideButtonLink variant="secondary" href={directionsUrl(business.name, address)} {...layout}>
          <MapPinned {...icon} />
          Directions
        </OutsideButtonLink>
      )}
    </>
  );
  return beside ? <div className="flex shrink-0 gap-2">{actions}</div> : <ActionBar>{actions}</ActionBar>;
}

function ActionBar({ children }: { children: ReactNode }) {
  // Toasts stand above it.
  useEffect(() => {
    document.documentElement.dataset.actionBar = '';
    return () => {
      delete document.documentElement.dataset.actionBar;
    };
  }, []);
  return (
    <section
      aria-label="Contact"
      className="fixed inset-x-0 bottom-[calc(--spacing(14)+1px+env(safe-area-inset-bottom))] z-sticky flex gap-2 border-t border-line bg-surface px-4 py-2 short:static short:border-0 short:bg-transparent short:p-0"
    >
      {children}
    </section>
  );
}
