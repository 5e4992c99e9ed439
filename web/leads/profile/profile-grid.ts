/** Read row by row on wide screens: what the business is beside its status, what was done beside what can be done. */
export const profileGrid = 'grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]';
