import { escapeHtml } from '#server/kit/html.ts';
import type { ApiDocument } from '#server/kit/http/openapi.ts';
import { describeDefault, describeType } from './describe-type.ts';

const STYLE = `
  :root { color-scheme: light dark; --link: #12493a; --page: #fff; --text: #1a1a1a; background: var(--page); color: var(--text); font-family: system-ui, sans-serif; line-height: 1.5; }
  html { scroll-padding-top: 1rem; }
  body { display: grid; gap: 0 3rem; max-width: 80rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
  main, nav { min-width: 0; }
  a { color: var(--link); }
  nav ul { columns: 6.5rem; margin: 0; padding: 0; list-style: none; }
  nav li a { display: block; padding: .25rem 0; }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid; padding-bottom: .25rem; }
  h3 { margin: 1.75rem 0 .25rem; font-size: 1rem; overflow-wrap: anywhere; }
  h3 code { font-size: 1rem; }
  h4 { margin: .75rem 0 .25rem; font-size: .875rem; }
  pre { margin: .5rem 0; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere;
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; }
  summary { cursor: pointer; padding: .25rem 0; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; margin: .25rem 0 .5rem; } dd { margin: 0; } dt { font-weight: 600; }
  .method { font-weight: 700; margin-right: .25rem; }
  .skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; }
  @media (prefers-color-scheme: dark) { :root { --link: #9bdabf; --page: #141414; --text: #ececec; } }
  @media (min-width: 64rem) {
    body { grid-template-columns: 11rem 1fr; }
    nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto; }
    nav ul { columns: auto; }
  }
`;

/** The API document as a self-contained page. */
export function docsPage(document: ApiDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method: method.toUpperCase(), call })),
  );
  const features = [...new Set(calls.map(({ call }) => (call.tags as string[])[0] ?? ''))];
  const contents = ['First steps', 'Errors', ...features];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · ${escapeHtml(document.info.title)}</title><style>${STYLE}</style>
</head>
<body><a class="skip" href="#main">Skip to the text</a>
<nav aria-label="Contents"><ul>${contents.map((each) => `<li><a href="#${toAnchor(each)}">${escapeHtml(each)}</a></li>`).join('')}</ul></nav>
<main id="main" tabindex="-1">
<h1>${escapeHtml(document.info.title)} API</h1>
<p>Version ${escapeHtml(document.info.version)}. ${escapeHtml(document.info.description)}
Requests and responses are JSON. Programs send a token, the web app the cookie of a session. The machine-readable document:
<a href="/api/openapi.json">openapi.json</a>.</p>
${FIRST_STEPS}
${errors(document)}
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

const toAnchor = (text: string) => text.toLowerCase().replaceAll(' ', '-');

const curl = (call: string) => `<pre>${escapeHtml(`curl -H "Authorization: Bearer $HIGHSTREET_TOKEN" ${call}`)}</pre>`;

const FIRST_STEPS = `<section id="first-steps"><h2>First steps with the API</h2>
<ol>
<li><p>Make a token: <a href="/account#programs">Your account, Programs</a>. Begin with the right to read. Keep it out of files that you
share:</p><pre>export HIGHSTREET_URL=https://crm.example.com
read -rs HIGHSTREET_TOKEN && export HIGHSTREET_TOKEN</pre></li>
<li><p>Ask who you are:</p>${curl('"$HIGHSTREET_URL/api/user"')}</li>
<li><p>Read all leads, page by page: the next page is that after <code>next</code>, until it is null.</p>
${curl('"$HIGHSTREET_URL/api/leads?after=0&pageSize=100"')}</li>
<li><p>Change a lead only as you have read it: with its <code>updatedAt</code>. 412 says that it has changed since.</p>
${curl(`-X PATCH -H 'If-Match: "2026-11-20T10:00:00.000Z"' -H "Content-Type: application/json" -d '{"status": "recontact"}' "$HIGHSTREET_URL/api/business-status/1"`)}</li>
<li><p>Send leads of another system by its ids, as often as you like:</p>
${curl(`-X POST -H "Content-Type: application/json" -d '{"source": "hubspot", "items": [{"externalId": "4711", "name": "Rose & Thorn"}]}' "$HIGHSTREET_URL/api/leads/upsert"`)}</li>
<li><p>Repeat a request that got no answer with the same <code>Idempotency-Key</code> (8 to 64 letters, digits or hyphens). After 429, wait
as many seconds as <code>Retry-After</code> says.</p></li>
</ol></section>`;

/** What each status says, once for all calls. */
function errors({ components }: ApiDocument): string {
  const { responses = {} } = components as { responses?: Record<string, { description: string }> };
  const rows = Object.entries(responses).map(
    ([name, { description }]) =>
      `<dt>${name.replace('Refused', '')}</dt><dd>${escapeHtml(description).replace(/`(.+?)`/g, '<code>$1</code>')}.</dd>`,
  );
  return `<section id="errors"><h2>Errors</h2>
<p>Every error is <code>{"message", "code", "errors"?}</code>: a sentence for people, a word for programs, and what is wrong with which field.</p>
<dl>${rows.join('\n')}<dt>5xx</dt><dd>The server is in trouble. The request may be repeated, with the same <code>Idempotency-Key</code>.</dd></dl></section>`;
}

interface DescribedCall {
  path: string;
  method: string;
  call: Record<string, unknown>;
}

const section = (feature: string, calls: DescribedCall[]) =>
  `<section id="${toAnchor(feature)}"><h2>${escapeHtml(feature)}</h2>${calls.map(entry).join('\n')}</section>`;

function entry({ path, method, call }: DescribedCall): string {
  const { summary, description, responses } = call;
  const [rights = '', limits = ''] = String(description).split('\n\n');
  const statuses = Object.keys(responses as object).filter((status) => Number(status) >= 400);
  const [sample] = call['x-codeSamples'] as { source: string }[];
  return `<article id="${escapeHtml(String(call.operationId))}"><h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(String(summary))}</p>
<dl><dt>Who</dt><dd>${escapeHtml(rights)}</dd><dt>Limits</dt><dd>${escapeHtml(limits)}</dd>
<dt>Errors</dt><dd>${statuses.join(', ')}</dd></dl>
<pre>${escapeHtml(sample?.source ?? '')}</pre>
<details><summary>Input and response</summary>${shapes(call)}</details></article>`;
}

type Content = { content?: Record<string, { schema: Record<string, unknown> }> } | undefined;
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Record<string, unknown>;
}

/** What the call takes and answers, as types. */
function shapes({ parameters = [], requestBody, responses }: DescribedCall['call']): string {
  const lines = (parameters as Parameter[]).map(
    ({ name, in: place, required, schema }) =>
      `${name}${required ? '' : '?'}: ${describeType(schema)}${describeDefault(schema)}  (${place})`,
  );
  const success = Object.keys(responses as object).find((status) => Number(status) < 300) ?? '';
  const parts = [
    ['Path and query', lines.join('\n')],
    ['Body', contentOf(requestBody as Content)],
    [`Response ${success}`, contentOf((responses as Record<string, Content>)[success]) || 'Nothing'],
  ];
  return parts
    .flatMap(([title = '', text]) => (text ? [`<h4>${title}</h4><pre>${escapeHtml(text)}</pre>`] : []))
    .join('\n');
}

function contentOf(of: Content): string {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(of?.content ?? {});
  if (!type) return '';
  return type === 'application/json' ? describeType(schema) : `${type}\n${describeType(schema)}`;
}
