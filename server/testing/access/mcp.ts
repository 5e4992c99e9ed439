import type { TestApp } from '#server/testing/test-app.ts';

interface McpResponse {
  result?: { tools?: { name: string }[]; isError?: boolean; content?: { text: string }[] };
  error?: { message: string };
}

/** One request of MCP, as a program without a client sends it. */
export async function sendMcp(t: TestApp, headers: Record<string, string>, method: string, params: object = {}) {
  const { statusCode, body } = await t.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const json = statusCode === 200 ? (/^data: (.*)$/m.exec(body)?.[1] ?? body) : '{}';
  return { statusCode, ...(JSON.parse(json) as McpResponse) };
}

/** What is between the marks of an answer. */
export function readMarked(text: string): Record<string, unknown> & { rows?: Record<string, unknown>[] } {
  const [, , data] = /^<(highstreet-data-[0-9a-f]{12})>\n([\s\S]*)\n<\/\1>$/m.exec(text) ?? [];
  return data === undefined ? {} : JSON.parse(data);
}
