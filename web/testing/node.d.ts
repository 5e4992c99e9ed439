// The one thing tests of the web need of Node. Its whole types would let screens use it too.
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
}
