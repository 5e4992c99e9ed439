import { escapeHtml } from '#server/kit/html.ts';

export interface Message {
  to: string;
  subject: string;
  /** Paragraphs of plain text, with line breaks; a paragraph that is a URL becomes a link. */
  paragraphs: string[];
}

export const toPlainText = ({ paragraphs }: Message) => `${paragraphs.join('\n\n')}\n`;

export const toHtml = ({ paragraphs }: Message) =>
  `<!doctype html><html lang="en"><body style="font-family: sans-serif; line-height: 1.5">\n${paragraphs
    .map((paragraph) => `<p>${/^https?:\/\/\S+$/.test(paragraph) ? link(paragraph) : escapeLines(paragraph)}</p>`)
    .join('\n')}\n</body></html>\n`;

/** Prevents header injection by line breaks in user input. */
export const headerValue = (value: string) => value.replace(/[\r\n]+/g, ' ');

const escapeLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n');

const link = (url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
