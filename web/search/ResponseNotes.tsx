import { MORE_MATCH, type SearchResponse } from '#contract/search/search.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { SafeLink } from '#web/kit/ui/SafeLink.tsx';

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
  if (!sample && notices.length === 0) return null;
  return (
    <Notice>
      <div className="flex flex-col gap-1">
        {sample && (
          <p>
            <strong className="font-semibold">Sample data.</strong> To find real businesses, your administrator can load
            open data or connect a places provider.
          </p>
        )}
        {notices.map((notice) => (
          <p key={notice}>{notice}</p>
        ))}
        {raise && notices.includes(MORE_MATCH) && (
          <Button variant="secondary" size="sm" className="mt-1 self-start" onClick={raise.onRaise}>
            Raise Max Results to {raise.to}
          </Button>
        )}
      </div>
    </Notice>
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
