import { ApiError } from '#web/kit/api.ts';

const PANEL_MESSAGES: [RegExp, string][] = [
  [/API key/i, 'The Places API key is missing or invalid. Please contact the administrator.'],
  [
    /quota|OVER_QUERY_LIMIT/i,
    'The Places API quota has been exceeded. Please try again later or contact the administrator.',
  ],
  [/REQUEST_DENIED/, 'The request was denied, possibly due to API key restrictions or invalid parameters.'],
];

/** The error panel that replaces the results. */
export function toErrorPanel({ message }: Error): { title: string; message: string } {
  return {
    title: /places API/i.test(message) ? 'Places API Error' : 'Error Fetching Results',
    message: PANEL_MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? message,
  };
}

const TOAST_MESSAGES: Record<string, string> = {
  api_key_missing: 'The Places API key is missing. Please contact the administrator.',
  over_query_limit: 'The Places API quota has been exceeded. Please try again later.',
  request_denied: 'The Places API denied the request, possibly due to API key restrictions.',
  invalid_request: 'The search could not be understood. Please check the search parameters.',
};

export function toToastMessage(error: Error): string {
  const message = error instanceof ApiError ? (TOAST_MESSAGES[error.code] ?? error.reason) : error.message;
  return message || 'An unknown error occurred';
}

const PERMANENT_CODES = ['api_key_missing', 'request_denied'];

export function isRetryable(error: Error): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status >= 500 && !PERMANENT_CODES.includes(error.code);
}
