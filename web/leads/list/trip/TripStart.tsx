import { LocateFixed } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { mayLocate, useBrowserPosition } from '#web/kit/browser-position.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { formatPosition, LOCATE, toStartQuery } from './trip-state.ts';

interface Props {
  /** The start as the URL has it. */
  trip: string;
  /** Why it cannot be used. */
  error: string | undefined;
  onStart: (trip: string) => void;
}

/** Where the trip starts: at the browser's position, or at a place. */
export function TripStart({ trip, error, onStart }: Props) {
  const position = useBrowserPosition((found) => onStart(formatPosition(found)), 'start from a postcode or town');
  const chosen = toStartQuery(trip);
  const [place, setPlace] = useState(chosen?.near ?? '');
  const [missing, setMissing] = useState(false);

  // Only a page that is loaded with a trip in its URL may ask for the position.
  const locate = () => (mayLocate() ? position.locate() : loadWithTrip());
  const locateOnLoad = useEffectEvent(() => trip === LOCATE && position.locate());
  useEffect(() => void locateOnLoad(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!place.trim());
    if (place.trim()) onStart(place.trim());
  };

  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3">
      <Button variant="secondary" busy={position.locating} onClick={locate}>
        {!position.locating && <LocateFixed aria-hidden="true" />}
        Start from my position
      </Button>
      {position.error && <Notice tone="danger">{position.error}</Notice>}
      <form noValidate onSubmit={submit} className="flex items-start gap-2">
        <TextField
          className="min-w-0 flex-1"
          label="Or from a postcode or town"
          value={place}
          maxLength={100}
          autoComplete="postal-code"
          placeholder="LS1"
          error={missing ? 'Enter a postcode or town' : error}
          onChange={({ target }) => setPlace(target.value)}
        />
        {/* In line with the field, below its label. */}
        <Button type="submit" className="mt-6">
          Go
        </Button>
      </form>
    </div>
  );
}

function loadWithTrip() {
  const url = new URL(window.location.href);
  url.pathname = '/crm';
  url.searchParams.delete('tab'); // of the home screen, which shows the same list
  url.searchParams.set('trip', LOCATE);
  window.location.assign(url);
}
