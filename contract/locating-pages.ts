const LOCATING = /^\/(trip(\?|$)|crm\?(.*&)?trip=|(crm|today)\?(.*&)?add=here(&|$))/;

/**
 * Whether a page, by its path and query, may ask where the user is: a trip, its plan, and the form of a new business, which
 * can start there. The browser asks the user first.
 */
export const isLocatingPage = (pathAndQuery: string) => LOCATING.test(pathAndQuery);
