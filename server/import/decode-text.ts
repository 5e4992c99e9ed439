import { TextDecoder } from 'node:util';
import { csvUnusable } from './csv-unusable.ts';

/** What Windows-1252 has where Latin-1 has control characters. Node's own decoder does not know; 0 is not defined. */
const WINDOWS_1252 = [
  ...[0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0],
  ...[0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e],
  0x0178,
];
const UTF8_SEQUENCE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

const undecodable = () => csvUnusable('The file holds characters that cannot be read. Please save it as CSV UTF-8.');

/**
 * The text of a file piece by piece: UTF-16 where a byte-order mark says so, UTF-8 as long as the bytes are such, and
 * Windows-1252 from the first byte on that cannot be UTF-8. A file that is a bit of both is damaged, and refused.
 */
export function createTextDecoder(firstBytes: Buffer) {
  const utf16 = utf16In(firstBytes);
  const decoder = new TextDecoder(utf16 ?? 'utf-8', { fatal: true });
  let windows = false;
  let multibyteSeen = false;
  let pending: Buffer = Buffer.alloc(0);

  function decodeUtf8(bytes: Buffer, last: boolean): string {
    const all = pending.length ? Buffer.concat([pending, bytes]) : bytes;
    const end = last ? all.length : all.length - unfinished(all);
    pending = all.subarray(end);
    const whole = all.subarray(0, end);
    try {
      const text = decoder.decode(whole);
      multibyteSeen ||= text.length < whole.length;
      return text;
    } catch {
      if (multibyteSeen || UTF8_SEQUENCE.test(whole.toString('latin1'))) throw undecodable();
      windows = true;
      pending = Buffer.alloc(0);
      return decodeWindows(all);
    }
  }

  function decodeUtf16(bytes: Buffer, last: boolean): string {
    try {
      return decoder.decode(bytes, { stream: !last });
    } catch {
      throw undecodable();
    }
  }

  return (bytes: Buffer, last = false): string => {
    if (utf16) return decodeUtf16(bytes, last);
    return windows ? decodeWindows(bytes) : decodeUtf8(bytes, last);
  };
}

function utf16In([first, second]: Buffer) {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** How many bytes at the end belong to a character of which the rest is still to come. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

function decodeWindows(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (char) => {
    const code = WINDOWS_1252[char.charCodeAt(0) - 0x80];
    if (!code) throw undecodable();
    return String.fromCharCode(code);
  });
}
