/** Every error code with its status. A code without a status cannot exist. */
export const ERROR_STATUS = {
  validation_failed: 400,
  invalid_json: 400,
  invalid_id: 400,
  invalid_token: 400,
  invalid_target: 400,
  invalid_url: 400,
  reserved_tag: 400,
  file_required: 400,
  invalid_request: 400,
  invalid_passkey: 400,
  not_authenticated: 401,
  invalid_credentials: 401,
  code_required: 401,
  invalid_code: 401,
  passkey_required: 401,
  forbidden: 403,
  not_your_lead: 403,
  cross_site: 403,
  adding_not_allowed: 403,
  outside_territory: 403,
  account_inactive: 403,
  registration_closed: 403,
  token_not_allowed: 403,
  proof_required: 403,
  second_factor_required: 403,
  sso_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_assigned: 409,
  duplicate_username: 409,
  duplicate_email: 409,
  duplicate_name: 409,
  duplicate_invitation: 409,
  too_many_views: 409,
  too_many_tokens: 409,
  too_many_webhooks: 409,
  webhook_off: 409,
  too_many_proposals: 409,
  proposal_closed: 409,
  too_many_fields: 409,
  field_archived: 409,
  field_not_archived: 409,
  stale_field: 409,
  field_required: 409,
  stale_notes: 409,
  follow_up_completed: 409,
  not_undoable: 409,
  batch_undone: 409,
  already_merged: 409,
  last_admin: 409,
  last_way_in: 409,
  too_many_passkeys: 409,
  cannot_change_self: 409,
  bulk_running: 409,
  too_many_leads: 409,
  too_many_added: 409,
  count_changed: 409,
  import_running: 409,
  import_not_ready: 409,
  sweep_running: 409,
  backup_running: 409,
  sweep_not_ready: 409,
  not_cancellable: 409,
  idempotency_conflict: 409,
  already_recorded: 409,
  session_changed: 409,
  lead_changed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unknown_host: 421,
  csv_unusable: 422,
  too_many_attempts: 429,
  rate_limited: 429,
  over_query_limit: 429,
  internal: 500,
  provider_error: 502,
  request_denied: 502,
  provider_timeout: 504,
  database_unavailable: 503,
  storage_full: 503,
  shutting_down: 503,
  busy: 503,
  api_key_missing: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface FieldError {
  path: string;
  message: string;
}

interface RefusalDetails {
  errors?: FieldError[];
  /** Seconds until a retry may succeed; sent as Retry-After. */
  retryAfter?: number;
  /** Further fields of the response, such as the current text of a conflict. */
  extra?: Record<string, unknown>;
}

/** An expected error that people may read. Anything else that is thrown is a bug: status 500. */
export class Refusal extends Error {
  override name = 'Refusal';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
  }
}
