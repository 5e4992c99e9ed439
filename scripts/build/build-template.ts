import { prepareTemplate } from '#server/kit/db/embedded/template.ts';
import { at } from '../setup/paths.mjs';

/** An embedded store with the schema in it: copying it is much faster than making one at the first start. */
export async function buildTemplate(folder: string): Promise<void> {
  await prepareTemplate(`${folder}/template`, at('server/kit/db/migrations'));
}
