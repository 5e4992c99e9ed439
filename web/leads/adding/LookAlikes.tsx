import type { LookAlike } from '#contract/leads/adding/adding.calls.ts';
import { Button } from '#web/kit/ui/Button.tsx';

interface Props {
  found: LookAlike[];
  /** The business that is being taken. */
  taking: number | undefined;
  onTake: (found: LookAlike) => void;
  onOpen: (leadUuid: string) => void;
}

/** Businesses that may be the one that is being typed, and who works them. */
export function LookAlikes({ found, taking, onTake, onOpen }: Props) {
  return (
    <div aria-live="polite">
      {found.length > 0 && (
        <section aria-label="Look-alikes" className="flex flex-col gap-1 rounded-md bg-sunken px-3 py-2 text-sm">
          <h3 className="font-medium">Is it one of these?</h3>
          <ul className="divide-y divide-line">
            {found.map((each) => (
              <li key={each.businessId} className="flex min-h-11 items-center justify-between gap-2 py-1 sm:min-h-9">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {[each.name, each.town].filter(Boolean).join(', ')}
                  <span className="block text-muted">{describeHolders(each.holders)}</span>
                </span>
                <Action found={each} busy={taking === each.businessId} onTake={() => onTake(each)} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface ActionProps {
  found: LookAlike;
  busy: boolean;
  onTake: () => void;
  onOpen: (leadUuid: string) => void;
}

function Action({ found: { name, holders, leadUuid }, busy, onTake, onOpen }: ActionProps) {
  if (leadUuid) {
    return (
      <Button size="sm" variant="secondary" onClick={() => onOpen(leadUuid)}>
        Open <span className="sr-only">{name}</span>
      </Button>
    );
  }
  if (holders.length) return null;
  return (
    <Button size="sm" variant="secondary" busy={busy} onClick={onTake}>
      Make this my lead<span className="sr-only">: {name}</span>
    </Button>
  );
}

const describeHolders = (holders: string[]) => (holders.length ? `Worked by ${holders.join(', ')}` : 'Nobody works it');
