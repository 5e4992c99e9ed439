export interface Instruction {
  name: string;
  /** What follows the name, flags taken off. */
  text: string;
  flags: Record<string, string>;
}

export interface Stage {
  name: string;
  image: string;
  instructions: Instruction[];
}

/** As much of a Dockerfile as ours needs: no heredocs, no arguments, no variables. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim());
  const stages: Stage[] = [];
  for (const line of lines) {
    const instruction = parseLine(line);
    if (instruction.name === 'FROM') {
      const [image = '', , name = 'final'] = instruction.text.split(/\s+/);
      stages.push({ name, image, instructions: [] });
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

function parseLine(line: string): Instruction {
  const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
  const flags: Record<string, string> = {};
  const text = rest.replace(/^(--[a-z-]+=\S+\s+)+/, (given) => {
    for (const [, flag = '', value = ''] of given.matchAll(/--([a-z-]+)=(\S+)/g)) flags[flag] = value;
    return '';
  });
  return { name, text, flags };
}

export const finalStage = (stages: Stage[]): Stage => {
  const last = stages.at(-1);
  if (!last) throw new Error('the Dockerfile has no stage');
  return last;
};

export const all = (stage: Stage, name: string) => stage.instructions.filter((each) => each.name === name);

/** The last instruction of this name, which is the one that counts. */
export function last(stage: Stage, name: string): Instruction {
  const found = all(stage, name).at(-1);
  if (!found) throw new Error(`the stage ${stage.name} has no ${name}`);
  return found;
}

/** The words of an instruction in exec form; one that a shell would carry out is refused. */
export function execForm({ name, text }: Instruction): string[] {
  const json = text.slice(Math.max(0, text.indexOf('[')));
  const words: unknown = json.startsWith('[') ? JSON.parse(json) : undefined;
  if (!Array.isArray(words)) throw new Error(`${name} is not in exec form: signals would reach a shell`);
  return words.map(String);
}

export const environmentOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    all(stage, 'ENV').flatMap(({ text }) => [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
  );
