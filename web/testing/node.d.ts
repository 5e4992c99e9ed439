// The only Node function that tests of the web use. All of Node's types would let screens use Node too.
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
}
