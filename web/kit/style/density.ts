import { createDocumentChoice } from './document-choice.ts';

/** How much room there is between things, on screens that are used with a mouse; fingers always have the room they need. */
const choice = createDocumentChoice({ name: 'density', options: ['comfortable', 'compact'] });

export const setDensity = choice.set;
export const useDensity = choice.use;
