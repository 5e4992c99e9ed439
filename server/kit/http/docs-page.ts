import { escapeHtml } from '#server/kit/html.ts';
import type { ApiDocument } from './openapi.ts';

const STYLE = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
  body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid; padding-bottom: .25rem; }
  h3 { margin: 1.5rem 0 .25rem; font-size: 1rem; overflow-wrap: anywhere; }
  h3 code { font-size: 1rem; }
  pre { overflow: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; }
  summary { cursor: pointer; padding: .25rem 0; }
  .method { font-weight: 700; margin-right: .5rem; }
`;

/** The API document as a self-contained page. */
export function docsPage(document: ApiDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method: method.toUpperCase(), call })),
  );
  const features = [...new Set(calls.map(({ call }) => (call.tags as string[])[0] ?? ''))];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · ${escapeHtml(document.info.title)}</title><style>${STYLE}</style>
</head>
<body><main>
<h1>${escapeHtml(document.info.title)} API</h1>
<p>Version ${escapeHtml(document.info.version)}. ${escapeHtml(document.info.description)}
Requests and responses are JSON; a session cookie authenticates the user. Every error is
<code>{"message", "code", "errors"?}</code>. The machine-readable document:
<a href="/api/openapi.json">openapi.json</a>.</p>
${features
  .map((feature) =>
    section(
      feature,
      calls.filter(({ call }) => (call.tags as string[])[0] === feature),
    ),
  )
  .join('\n')}
</main></body></html>`;
}

interface DescribedCall {
  path: string;
  method: string;
  call: Record<string, unknown>;
}

const section = (feature: string, calls: DescribedCall[]) =>
  `<section><h2>${escapeHtml(feature)}</h2>${calls.map(entry).join('\n')}</section>`;

const ACCESS_LABEL: Record<string, string> = {
  anyone: 'Anyone',
  user: 'Signed-in users',
  manager: 'Managers and admins',
  admin: 'Admins',
};

function entry({ path, method, call }: DescribedCall): string {
  const { summary, responses, parameters, requestBody } = call;
  const detail = { ...(parameters ? { parameters } : {}), ...(requestBody ? { requestBody } : {}), responses };
  return `<article><h3><span class="method">${method}</span><code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(String(summary))} <em>${ACCESS_LABEL[String(call['x-access'])] ?? ''}.</em></p>
<details><summary>Input and response</summary><pre>${escapeHtml(JSON.stringify(detail, null, 2))}</pre></details></article>`;
}
