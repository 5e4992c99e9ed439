/** Beside a position that is only that of the postcode's district. */
export const ABOUT_HERE = 'About here: only its postcode is known';
