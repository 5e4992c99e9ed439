import { Refusal } from '#contract/errors.ts';

export const csvUnusable = (message: string) => new Refusal('csv_unusable', message);
