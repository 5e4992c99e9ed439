import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contactMode } from './contact-rules.ts';
import { mayContact } from './may-contact.ts';
import {
  CHANNELS_OF,
  type ContactChannel,
  concerns,
  contactChannel,
  type ObjectionChannel,
  type ObjectionSubject,
  objectionChannel,
  objectionSubject,
} from './objection.ts';

const SINCE = '2026-11-03T09:00:00.000Z';
const objection = (channel: ObjectionChannel, on: ObjectionSubject, since = SINCE) => ({ channel, on, since });

/** By what each subject is reached, from the rules: a number by calls and texts, an address by e-mail, a business by all. */
const CASES: [ObjectionChannel, ObjectionSubject, ContactChannel[]][] = [
  ['call', 'number', ['call']],
  ['call', 'business', ['call']],
  ['call', 'email', []],
  ['text', 'number', ['text']],
  ['text', 'business', ['text']],
  ['text', 'email', []],
  ['email', 'email', ['email']],
  ['email', 'business', ['email']],
  ['email', 'number', []],
  ['post', 'business', ['post']],
  ['post', 'number', []],
  ['visit', 'business', ['visit']],
  ['visit', 'email', []],
  ['all', 'number', ['call', 'text']],
  ['all', 'email', ['email']],
  ['all', 'business', ['call', 'email', 'text', 'post', 'visit']],
];

describe.each(CASES)('an objection to %s on a %s', (channel, on, blocked) => {
  test.each(contactChannel.options)('%s', (used) => {
    const facts = [objection(channel, on)];
    const stands = blocked.includes(used);
    expect(mayContact(used, { objections: facts, rules: { mode: 'enforce' } })).toEqual({
      allowed: !stands,
      because: stands ? facts[0] : null,
      overridable: false,
    });
    expect(mayContact(used, { objections: facts, rules: { mode: 'warn' } })).toEqual({
      allowed: !stands,
      because: stands ? facts[0] : null,
      overridable: stands,
    });
    expect(mayContact(used, { objections: facts, rules: { mode: 'off' } }).allowed).toBe(true);
  });
});

const facts = fc.array(
  fc.record({
    channel: fc.constantFrom(...objectionChannel.options),
    on: fc.constantFrom(...objectionSubject.options),
    since: fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  }),
  { maxLength: 8 },
);
const used = fc.constantFrom(...contactChannel.options);
const mode = fc.constantFrom(...contactMode.options);

test('one more objection never allows what was not allowed before', () => {
  fc.assert(
    fc.property(facts, facts, used, mode, (before, more, channel, mode) => {
      const rules = { mode };
      const { allowed } = mayContact(channel, { objections: [...before, ...more], rules });
      if (allowed) expect(mayContact(channel, { objections: before, rules }).allowed).toBe(true);
    }),
  );
});

test('whoever may not be contacted is told why, by an objection that is about it, the oldest of them', () => {
  fc.assert(
    fc.property(facts, used, (objections, channel) => {
      const { allowed, because } = mayContact(channel, { objections, rules: { mode: 'enforce' } });
      expect(allowed).toBe(because === null);
      if (!because) return;
      expect(CHANNELS_OF[because.on]).toContain(channel);
      expect(['all', channel]).toContain(because.channel);
      expect(objections.filter(({ since, ...each }) => since < because.since && isAbout(channel, each))).toEqual([]);
    }),
  );
});

const isAbout = (
  channel: ContactChannel,
  { channel: objected, on }: { channel: ObjectionChannel; on: ObjectionSubject },
) => ['all', channel].includes(objected) && CHANNELS_OF[on].includes(channel);

test('the order of objections, and the same one twice, change nothing', () => {
  fc.assert(
    fc.property(facts, used, mode, (objections, channel, mode) => {
      const rules = { mode };
      const { allowed, because } = mayContact(channel, { objections, rules });
      const other = mayContact(channel, { objections: [...objections, ...objections].reverse(), rules });
      expect([other.allowed, other.because?.since]).toEqual([allowed, because?.since]);
    }),
  );
});

test('without an objection everybody may be contacted, whatever the rules are', () => {
  fc.assert(
    fc.property(used, mode, (channel, mode) => {
      expect(mayContact(channel, { objections: [], rules: { mode } })).toEqual({
        allowed: true,
        because: null,
        overridable: false,
      });
    }),
  );
});

test('an objection that concerns a subject always blocks something, and no other is ever stored', () => {
  for (const [channel, on, blocked] of CASES) expect(concerns(channel, on)).toBe(blocked.length > 0);
});
