import { escapeHtml } from '#server/kit/html.ts';

export interface Message {
  to: string;
  subject: string;
  paragraphs: Paragraph[];
  /** Stops e-mails like this one, without signing in: mail programs offer it. */
  stopUrl?: string;
}

/** Plain text with line breaks, which becomes a link where it is a URL; a text that is a link; or a table. */
export type Paragraph = string | Link | Table;

interface Link {
  text: string;
  url: string;
  /** Below a line, smaller than the message. */
  isFooter?: true;
}

interface Table {
  titles: [name: string, figure: string, compared: string];
  /** Each with a name, a figure, and the one that it is compared with. */
  rows: [name: string, figure: string, compared: string][];
}

export const toPlainText = ({ paragraphs }: Message) => `${paragraphs.map(toLines).join('\n\n')}\n`;

function toLines(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  if ('url' in paragraph) return `${paragraph.text}:\n${paragraph.url}`;
  return [paragraph.titles, ...paragraph.rows]
    .map(([name, figure, compared]) => `${name}: ${figure} (${compared})`)
    .join('\n');
}

export const toHtml = ({ paragraphs }: Message) =>
  `<!doctype html><html lang="en"><body style="font-family: sans-serif; line-height: 1.5">\n<div style="max-width: 600px; margin: 0 auto; padding: 8px">\n${paragraphs
    .map(toElement)
    .join('\n')}\n</div>\n</body></html>\n`;

function toElement(paragraph: Paragraph): string {
  if (typeof paragraph !== 'string') return 'url' in paragraph ? toLink(paragraph) : table(paragraph);
  const isUrl = /^https?:\/\/\S+$/.test(paragraph);
  return `<p>${isUrl ? link({ text: paragraph, url: paragraph }) : escapeLines(paragraph)}</p>`;
}

/** Prevents header injection by line breaks in user input. */
export const headerValue = (value: string) => value.replace(/[\r\n]+/g, ' ');

const escapeLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n');

const link = ({ text, url }: Link) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

// Without colours but a grey line, so that it is readable on the light and the dark background of a mail program.
const LINE = '1px solid #888888';
const CELL = `padding: 4px 0 4px 12px; border-bottom: ${LINE}`;
const LEFT = `style="${CELL}; padding-left: 0; text-align: left"`;
const RIGHT = `style="${CELL}; text-align: right; white-space: nowrap"`;
const ROW_NAME = `style="${CELL}; padding-left: 0; text-align: left; font-weight: normal"`;

const toLink = ({ isFooter, ...shown }: Link) =>
  isFooter
    ? `<p style="margin-top: 32px; padding-top: 8px; border-top: ${LINE}; font-size: 13px">${link(shown)}</p>`
    : `<p>${link(shown)}</p>`;

function table({ titles, rows }: Table): string {
  const head = titles.map((title, nth) => `<th scope="col" ${nth ? RIGHT : LEFT}>${escapeHtml(title)}</th>`).join('');
  const lines = rows.map(([name, ...figures]) => {
    const cells = figures.map((figure) => `<td ${RIGHT}>${escapeHtml(figure)}</td>`).join('');
    return `<tr><th scope="row" ${ROW_NAME}>${escapeHtml(name)}</th>${cells}</tr>`;
  });
  return `<table style="border-collapse: collapse; width: 100%; max-width: 420px">\n<tr>${head}</tr>\n${lines.join('\n')}\n</table>`;
}
