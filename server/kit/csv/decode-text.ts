import { TextDecoder } from 'node:util';
import { Refusal } from '#contract/errors.ts';

/** The characters of Windows-1252 from 0x80 to 0x9f; 0 is undefined. Node's own decoder takes it for Latin-1. */
const WINDOWS_1252 = [
  ...[0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0],
  ...[0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e],
  0x0178,
];
const UTF8_SEQUENCE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

export const csvUnusable = (message: string) => new Refusal('csv_unusable', message);

const undecodable = () => csvUnusable('The file holds characters that cannot be read. Please save it as CSV UTF-8.');

/** The text of a file, chunk by chunk. The first chunk must have the whole byte-order mark, if there is one. */
export async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decode: ReturnType<typeof createDecoder> | undefined;
  for await (const chunk of chunks) {
    decode ??= createDecoder(chunk);
    yield decode(chunk);
  }
  if (decode) yield decode(Buffer.alloc(0), true);
}

/**
 * UTF-16 with a byte-order mark, UTF-8 as long as the bytes are valid, and Windows-1252 from the first byte on that is
 * not. A file that mixes both is damaged, and refused.
 */
function createDecoder(firstChunk: Buffer) {
  const utf16 = detectUtf16(firstChunk);
  const decoder = new TextDecoder(utf16 ?? 'utf-8', { fatal: true });
  let windows = false;
  let multibyteSeen = false;
  let pending: Buffer = Buffer.alloc(0);

  function decodeUtf8(bytes: Buffer, last: boolean): string {
    const all = pending.length ? Buffer.concat([pending, bytes]) : bytes;
    const end = last ? all.length : all.length - countIncomplete(all);
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

function detectUtf16([first, second]: Buffer) {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** The number of bytes at the end that belong to an incomplete character. */
function countIncomplete(bytes: Buffer): number {
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
