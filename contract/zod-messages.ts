import { z } from 'zod';

/** Default messages for fields whose schema has none. For people: no type names, no lists of codes. */
export function configureZodMessages() {
  z.config({
    customError: (issue) => {
      const field = issue.path?.length ? String(issue.path.at(-1)) : 'The request';
      switch (issue.code) {
        case 'invalid_type':
          return issue.input === undefined || issue.input === null ? `${field} is required` : `${field} is not valid`;
        case 'invalid_value':
        case 'invalid_format':
        case 'invalid_union':
        case 'not_multiple_of':
          return `${field} is not valid`;
        case 'too_small':
          return `${field} is too short or too small`;
        case 'too_big':
          return `${field} is too long or too large`;
        case 'unrecognized_keys':
          return `${field} has a field that is not known`;
        default:
          return undefined;
      }
    },
  });
}
