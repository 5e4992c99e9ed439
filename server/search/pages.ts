import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import { hmac } from '#server/kit/secrets.ts';

const content = z.tuple([z.string(), z.number().int().positive()]);

/** Tokens for the next page that only this installation can make, each good for one search alone. */
export function pageTokens(key: string) {
  const sign = (text: string) => hmac(key, text);
  return {
    make(search: string, page: number): string {
      const text = Buffer.from(JSON.stringify([search, page])).toString('base64url');
      return `${text}.${sign(text)}`;
    },

    /** The page that the token leads to. A token of another search is refused like a forged one. */
    read(token: string, search: string): number {
      const [text = '', signature = ''] = token.split('.');
      const expected = Buffer.from(sign(text));
      const actual = Buffer.from(signature);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw invalidPageToken();
      const [of, page] = content.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
      if (of !== search) throw invalidPageToken();
      return page;
    },
  };
}

export type PageTokens = ReturnType<typeof pageTokens>;

const invalidPageToken = () =>
  new Refusal(
    'invalid_request',
    'The Places API page does not belong to this search (INVALID_REQUEST). Please search again.',
  );
