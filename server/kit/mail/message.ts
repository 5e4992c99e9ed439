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
  `<!doctype html><html lang="en"><body style="font-family: sans-serif; line-height: 1.5">\n${paragraphs
    .map(toElement)
    .join('\n')}\n</body></html>\n`;

function toElement(paragraph: Paragraph): string {
  if (typeof paragraph !== 'string') return 'url' in paragraph ? `<p>${link(paragraph)}</p>` : table(paragraph);
  const isUrl = /^https?:\/\/\S+$/.test(paragraph);
  return `<p>${isUrl ? link({ text: paragraph, url: paragraph }) : escapeLines(paragraph)}</p>`;
}

/** Prevents header injection by line breaks in user input. */
export const headerValue = (value: string) => value.replace(/[\r\n]+/g, ' ');

const escapeLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n');

const link = ({ text, url }: Link) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

// Without colours, so that it is readable on the light and the dark background of a mail program.
const PADDING = 'padding: 2px 24px 2px 0';
const LEFT = `style="${PADDING}; text-align: left"`;
const RIGHT = `style="${PADDING}; text-align: right"`;
const ROW_NAME = `style="${PADDING}; text-align: left; font-weight: normal"`;

function table({ titles, rows }: Table): string {
  const head = titles.map((title, nth) => `<th scope="col" ${nth ? RIGHT : LEFT}>${escapeHtml(title)}</th>`).join('');
  const lines = rows.map(([name, ...figures]) => {
    const cells = figures.map((figure) => `<td ${RIGHT}>${escapeHtml(figure)}</td>`).join('');
    return `<tr><th scope="row" ${ROW_NAME}>${escapeHtml(name)}</th>${cells}</tr>`;
  });
  return `<table style="border-collapse: collapse">\n<tr>${head}</tr>\n${lines.join('\n')}\n</table>`;
}
