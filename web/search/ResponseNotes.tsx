import { MORE_MATCH, type SearchResponse } from '#contract/search/search.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { SafeLink } from '#web/kit/ui/SafeLink.tsx';

const OPEN_DATA_URL = 'https://docs.overturemaps.org/getting-data/';

export interface RaiseMaxResults {
  to: string;
  onRaise: () => void;
}

interface Props {
  response: SearchResponse;
  /** Undefined where the limit is reached. */
  raise: RaiseMaxResults | undefined;
}

/** Notices of the places provider about a response. */
export function ResponseNotes({ response: { sample, notices }, raise }: Props) {
  const admin = useViewer().role === 'admin';
  if (!sample && notices.length === 0) return null;
  const moreMatch = notices.includes(MORE_MATCH);
  const others = notices.filter((notice) => notice !== MORE_MATCH);
  return (
    <Notice>
      <div className="flex flex-col gap-1">
        {sample ? (
          <p>
            <strong className="font-semibold">Sample data.</strong> {others.join(' ')}{' '}
            {admin ? <LoadCommand /> : ASK_ADMIN}
          </p>
        ) : (
          others.map((notice) => <p key={notice}>{notice}</p>)
        )}
        {moreMatch && <p>{MORE_MATCH}</p>}
        {raise && moreMatch && (
          <Button variant="secondary" size="sm" className="mt-1 self-start" onClick={raise.onRaise}>
            Raise Max Results to {raise.to}
          </Button>
        )}
      </div>
    </Notice>
  );
}

const ASK_ADMIN = 'To find real businesses, your administrator can load open data or connect a places provider.';

/** For admins: what to run on the server. */
function LoadCommand() {
  return (
    <>
      To find real businesses, download the places of <SafeLink to={OPEN_DATA_URL}>Overture Maps</SafeLink> and run{' '}
      <code className="[overflow-wrap:anywhere]">npm run places:load -- uk-places.parquet</code> on the server; the page
      docs/places.md describes both, and how to connect a places provider instead.
    </>
  );
}

/** The attribution that the source of the data requires, and limits on its use. */
export function SourceNote({ response: { provider, attributions } }: { response: SearchResponse }) {
  const fromGoogle = provider === 'google' || provider === 'google-legacy';
  if (attributions.length === 0 && !fromGoogle) return null;
  return (
    <div className="flex flex-col gap-1 text-xs text-muted">
      {attributions.length > 0 && (
        <p>
          Source:{' '}
          {attributions.map(({ text, url }, index) => (
            <span key={text}>
              {index > 0 && ', '}
              {url ? <SafeLink to={url}>{text}</SafeLink> : text}
            </span>
          ))}
        </p>
      )}
      {fromGoogle && (
        <p>
          Google's terms limit how its data may be stored and shown on a map. Open data has no such limits: your
          administrator can choose the provider.
        </p>
      )}
    </div>
  );
}
