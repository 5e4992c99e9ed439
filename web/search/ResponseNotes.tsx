import type { SearchResponse } from '#contract/search/search.ts';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { SafeLink } from '#web/kit/ui/SafeLink.tsx';

/** Notices of the places provider about a response. */
export function ResponseNotes({ response: { sample, notices } }: { response: SearchResponse }) {
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
