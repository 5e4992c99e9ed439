import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { buildCalendar, type CalendarEvent } from './icalendar.ts';

const event: CalendarEvent = {
  uid: 'follow-up-7@example.org',
  start: new Date('2026-11-17T10:00:00Z'),
  end: new Date('2026-11-17T10:15:00Z'),
  summary: 'Call: Blue Door Bakery',
  description: 'Ask for Sam\nhttps://example.org/business/uuid/1',
  url: 'https://example.org/business/uuid/1',
  lastModified: new Date('2026-11-16T09:00:01.234Z'),
  sequence: 3,
};
const parse = (text: string) => new ICAL.Component(ICAL.parse(text));
const parseEvent = (changes: Partial<CalendarEvent>) => {
  const [component] = parse(buildCalendar('Follow-ups', [{ ...event, ...changes }])).getAllSubcomponents('vevent');
  if (!component) throw new Error('The calendar has no event');
  return new ICAL.Event(component);
};

test('every line ends with CRLF, and moments are in UTC', () => {
  const text = buildCalendar('Follow-ups', [event]);
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(text.split('\r\n')).toEqual(
    expect.arrayContaining([
      'DTSTART:20261117T100000Z',
      'DTEND:20261117T101500Z',
      'DTSTAMP:20261116T090001Z',
      'LAST-MODIFIED:20261116T090001Z',
      'SEQUENCE:3',
    ]),
  );
});

test('a parser reads the event that was written', () => {
  const parsed = parseEvent({});
  expect(parsed).toMatchObject({ uid: event.uid, summary: event.summary, description: event.description, sequence: 3 });
  expect(parsed.startDate.toJSDate()).toEqual(event.start);
  expect(parsed.endDate.toJSDate()).toEqual(event.end);
});

test('a calendar without events is valid', () => {
  const calendar = parse(buildCalendar('Follow-ups', []));
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  expect(calendar.getFirstPropertyValue('prodid')).toBeTruthy();
});

test.each([
  ['separators', 'Fish; chips, peas \\ vinegar: "the best"'],
  ['line breaks', 'One\nTwo\n\nThree'],
  ['a line that would end the event', 'x\nEND:VEVENT\nBEGIN:VEVENT'],
  ['a long text', 'Lorem ipsum dolor sit amet '.repeat(40).trim()],
  ['a long text of multi-byte characters', 'Crème brûlée 🥐 für Zoë – '.repeat(20).trim()],
  ['a long word', 'x'.repeat(500)],
])('%s are read as they were written', (_, text) => {
  expect(parseEvent({ summary: text, description: text })).toMatchObject({ summary: text, description: text });
  for (const line of buildCalendar('Follow-ups', [{ ...event, summary: text }]).split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toContain('\ufffd');
  }
});

test('Windows line breaks become plain ones, and control characters are left out', () => {
  expect(parseEvent({ description: 'One\r\nTwo\rThree\u0000\u0007' }).description).toBe('One\nTwo\nThree');
});
