import { MORE_MATCH } from '#contract/search/search.ts';

/** The source has a limit of its own, which raising Max results does not change. */
export const SOURCE_LIMIT =
  'The source returned as many businesses as it does for one search: more may match. Try a smaller radius or a keyword.';

/** Some results are missing, and asking again may find them. */
export const STOPPED_EARLY = 'OpenStreetMap stopped early: some businesses may be missing. Try a smaller radius.';

/** Whether a search may have left out businesses that match. */
export const mayMatchMore = (notices: string[]) => notices.includes(MORE_MATCH) || notices.includes(SOURCE_LIMIT);
