import { ApiError } from '#web/kit/api.ts';

interface Panel {
  title: string;
  message: string;
}

const WORDS: [RegExp, string][] = [
  [/API key/i, 'The Places API key is missing or invalid. Please contact the administrator.'],
  [
    /quota|OVER_QUERY_LIMIT/i,
    'The Places API quota has been exceeded. Please try again later or contact the administrator.',
  ],
  [/REQUEST_DENIED/, 'The request was denied, possibly due to API key restrictions or invalid parameters.'],
];

/** What the panel in place of the results says. */
export function panelFor({ message }: Error): Panel {
  return {
    title: /places API/i.test(message) ? 'Places API Error' : 'Error Fetching Results',
    message: WORDS.find(([pattern]) => pattern.test(message))?.[1] ?? message,
  };
}

const BY_CODE: Record<string, string> = {
  api_key_missing: 'The Places API key is missing. Please contact the administrator.',
  over_query_limit: 'The Places API quota has been exceeded. Please try again later.',
  request_denied: 'The Places API denied the request, possibly due to API key restrictions.',
  invalid_request: 'The search could not be understood. Please check the search parameters.',
};

export function toastFor(error: Error): string {
  const said = error instanceof ApiError ? (BY_CODE[error.code] ?? error.reason) : error.message;
  return said || 'An unknown error occurred';
}

const LASTING = ['api_key_missing', 'request_denied'];

/** Whether the same search may well be answered a moment later. */
export function worthRetrying(error: Error): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status >= 500 && !LASTING.includes(error.code);
}
