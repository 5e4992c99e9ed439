import { escapeHtml } from '#server/kit/html.ts';

export interface Message {
  to: string;
  subject: string;
  /** Paragraphs of plain text; an address alone in its paragraph becomes a link. */
  paragraphs: string[];
}

export const plainText = ({ paragraphs }: Message) => `${paragraphs.join('\n\n')}\n`;

export const html = ({ paragraphs }: Message) =>
  `<!doctype html><html lang="en"><body style="font-family: sans-serif; line-height: 1.5">\n${paragraphs
    .map((paragraph) => `<p>${/^https?:\/\/\S+$/.test(paragraph) ? link(paragraph) : escapeHtml(paragraph)}</p>`)
    .join('\n')}\n</body></html>\n`;

/** A header field cannot be ended early by what somebody called themselves. */
export const headerValue = (value: string) => value.replace(/[\r\n]+/g, ' ');

const link = (address: string) => `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
