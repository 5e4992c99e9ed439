import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { useInstallOffer } from './install-offer.ts';
import { useInstallPrompt } from './install-prompt.ts';

/** Shown once on a phone, after three days of use. */
export function InstallOffer() {
  const { isOffered, end } = useInstallOffer();
  const install = useInstallPrompt();
  if (!isOffered) return null;
  return (
    <section aria-label="Highstreet on your phone" className="flex flex-col gap-2 text-sm">
      <p className="font-medium">Put Highstreet on your home screen? It opens faster, and without a network.</p>
      <div className="flex flex-wrap gap-2">
        {install ? (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => {
              end();
              install();
            }}
          >
            Install
          </Button>
        ) : (
          <ButtonLink variant="secondary" size="sm" href="/help/phone" onClick={end}>
            Show me how
          </ButtonLink>
        )}
        <Button variant="ghost" size="sm" onClick={end}>
          No, thanks
        </Button>
      </div>
    </section>
  );
}
