export interface Options {
  /** Everything there is, instead of what a change needs before it is committed. */
  all: boolean;
  only: string[] | undefined;
  bail: boolean;
  /** Parts of file names: only test files that contain one of them run. */
  filters: string[];
}

export function parseOptions(args: string[], known: string[]): Options {
  const options: Options = { all: false, only: undefined, bail: false, filters: [] };
  for (let at = 0; at < args.length; at += 1) {
    const [flag, inline] = (args[at] ?? '').split('=', 2);
    if (flag === '--bail') options.bail = true;
    else if (flag === '--all') options.all = true;
    else if (flag === '--only') options.only = (inline ?? args[++at] ?? '').split(',');
    else if (flag?.startsWith('-'))
      throw new Error(`unknown option ${flag}; there are --only STEP,…, --bail and --all`);
    else if (flag) options.filters.push(flag);
  }
  const unknown = options.only?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length) throw new Error(`no step is called ${unknown.join(' or ')}; there are ${known.join(', ')}`);
  return options;
}
