/** Some results are missing, and asking again may find them. */
export const STOPPED_EARLY = 'OpenStreetMap stopped early: some businesses may be missing. Try a smaller radius.';
