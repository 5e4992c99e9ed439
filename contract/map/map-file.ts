/** Whether a URL or path names one file with all tiles of a map, instead of a template of URLs. */
export const namesMapFile = (url: string) => /\.pmtiles(\?|$)/i.test(url);
