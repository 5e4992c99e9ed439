/** An event of a calendar (RFC 5545). */
export interface CalendarEvent {
  uid: string;
  start: Date;
  end: Date;
  summary: string;
  description: string;
  url: string;
  lastModified: Date;
  /** Greater for every later revision of the event. */
  sequence: number;
}

const MAX_LINE_OCTETS = 75;

/** A calendar file: CRLF, lines of at most 75 octets, moments in UTC. */
export function buildCalendar(name: string, events: CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Highstreet//Follow-ups//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...events.flatMap(buildEvent),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

const buildEvent = ({ uid, start, end, summary, description, url, lastModified, sequence }: CalendarEvent) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `DTSTAMP:${formatUtc(lastModified)}`,
  `DTSTART:${formatUtc(start)}`,
  `DTEND:${formatUtc(end)}`,
  `SUMMARY:${escapeText(summary)}`,
  `DESCRIPTION:${escapeText(description)}`,
  `URL:${url}`,
  `LAST-MODIFIED:${formatUtc(lastModified)}`,
  `SEQUENCE:${sequence}`,
  'END:VEVENT',
];

/** 20261116T090000Z. */
const formatUtc = (moment: Date) => moment.toISOString().replace(/[-:]|\.\d{3}/g, '');

const escapeText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a text value must not contain them
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** Continues a long line on the next, which begins with a space; never within a character. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_LINE_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
