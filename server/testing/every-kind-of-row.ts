import { sql } from 'drizzle-orm';
import { auditEvent } from '#contract/audit/audit.ts';
import { changeKind } from '#contract/changes/change.ts';
import { objectionChannel, objectionSubject } from '#contract/contact-rules/objection.ts';
import { activityType, leadStatus } from '#contract/leads/lead.ts';
import { proposedState } from '#contract/proposals/proposal.ts';
import { role } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';

/**
 * Fills an empty database with rows of every kind that a backup holds: of every table, with a value in every column, every
 * status, and texts and numbers that are easily lost. A test fails when a table or a column is added and not filled here.
 */
export async function fillEveryTable(db: Db) {
  const list = (values: readonly string[]) => sql`string_to_table(${values.join(',')}, ',') with ordinality`;
  for (const statement of [
    sql`insert into users (username, password, email, full_name, role, monthly_goal, active, failed_login_attempts,
        locked_until, created_at, morning_email, start_at, deleted_at)
      select kind || nth, '$scrypt$not-a-password', kind || nth || '@example.test', 'Zoë "' || kind || '" O’Ünal\n\t\\', kind, 40 + nth, nth <> 2,
        nth, case nth when 2 then now() + interval '1 hour' end, '2025-01-31T23:59:59.999Z', nth <> 3, 'today',
        case nth when 2 then now() end
      from ${list(role.options)} as r (kind, nth)`,
    sql`insert into installation_keys (name, value) values ('a key', 'YmFzZTY0')`,
    sql`insert into invitations (email, full_name, role, monthly_goal, token, invited_by, expires_at)
      values ('invited@example.test', 'Zoë "New"', 'manager', 40, 'aGFzaA', 1, now() + interval '7 days')`,
    sql`insert into known_browsers (user_id, browser, ip, description)
      values (1, 'aGFzaA', '192.0.2.1', 'Firefox Windows'), (2, 'aGFzaA', '2001:db8::', 'null null')`,
    sql`insert into device_keys (id, user_id, dropped_at) values ('00000000-0000-4000-8000-000000000001', 1, now())`,
    sql`insert into one_time_codes (user_id, secret, confirmed_at, last_step) values (1, 'i.c2VjcmV0', now(), 59999999)`,
    sql`insert into recovery_codes (user_id, code) values (1, 'aGFzaDE'), (1, 'aGFzaDI')`,
    sql`insert into passkeys (user_id, name, credential_id, public_key, counter, transports, synced, last_used_at)
      values (1, 'Zoë’s phone', 'aWQ', 'a2V5', 4294967295, array['internal', 'hybrid'], true, now())`,
    sql`insert into sso_identities (issuer, subject, user_id) values ('https://id.example.test', 'zoë|1', 1)`,

    sql`insert into businesses (place_id, name, formatted_address, vicinity, town, phone, international_phone, website,
        wrong_phone, phone_typed, website_typed, google_maps_url, rating, user_ratings_total, price_level, business_status,
        types, type, type_guessed, open_now, latitude, longitude, position_approximate, photo_references, icon, owner_name, imported)
      select 'place ' || nth, 'Café "№ ' || nth || '" \\ NULL {}', nth || ' High Street, Leeds LS1 ' || nth % 10 || 'AB', 'Centre',
        'Leeds', '0113 496 00' || nth, '+44 113 496 00' || nth, 'https://example.test/?a=1&b=😀', '0113', nth % 2 = 0,
        nth % 2 = 1, 'https://maps.example.test', 4.7, 123, nth % 5, 'OPERATIONAL', array['a,b', '"', '', 'NULL'], 'Cafe', nth % 2 = 0, nth % 3 = 0,
        51.50000000000001, -1.5e-7, nth % 2 = 0, '["x", {"deep": [1, 2.50, null]}]', 'icon', 'O''Brien', nth % 2 = 0
      from generate_series(1, 20) nth`,
    // The last one was merged into the first.
    sql`update businesses set merged_into = 1 where id = 20`,

    sql`insert into user_businesses (user_id, business_id, status, viewed, archived, archived_at, existing_customer,
        existing_customer_at, last_contacted_at, next_step_at, next_step_type, credited_at, notes, notes_version, tags,
        custom_fields, own_fields, source)
      select 1, nth, kind, nth % 2 = 0, nth % 3 = 0, case when nth % 3 = 0 then now() end, nth % 4 = 0,
        case when nth % 4 = 0 then now() end, now(), case when nth = 1 then now() end, case when nth = 1 then 'call' end,
        now(), E'Line 1\n[12 March]: "line" 2 é', nth, array['hot', 'ü;"', 'Imported'],
        '{"email": "a@b.example", "contactPerson": "Ada", "value": "1200.50"}', '{"1": "é;\\"", "2": ["1", "3"], "3": 0.001}', '{"kind": "file", "name": "spring.csv"}'
      from ${list(leadStatus.options)} as s (kind, nth)`,
    sql`insert into user_businesses (user_id, business_id) values (3, 1), (3, 2)`,
    sql`insert into lead_note_revisions (user_business_id, notes, notes_version, replaced_by) values (1, 'Before', 1, 1)`,
    sql`insert into contact_activities (user_business_id, type, description, scheduled_at, completed_at, outcome, created_by,
        reminded_at, program)
      select nth, kind, 'Rang', now(), case when nth > 1 then now() end, 'reached', 1, now(), 'n8n'
      from ${list(activityType.options)} as a (kind, nth)`,
    sql`insert into lead_comments (user_business_id, text, created_by, program) values (1, E'Line 1\n"line" 2 é', 1, 'n8n'), (2, 'Rang?', null, null)`,
    sql`insert into external_ids (source, external_id, user_business_id) values ('hubspot', E'№ "1"\\\\', 1)`,
    sql`insert into contact_credits (lead_id, user_id, credited_at, counted) values (1, 1, now(), true), (999, 1, now(), false)`,
    sql`insert into assignment_history (user_business_id, previous_user_id, new_user_id, changed_by, notes, initial, program)
      values (1, null, 3, 1, null, true, null), (1, 3, 1, 1, 'Given back', false, 'n8n')`,
    // Its number stays used.
    sql`delete from user_businesses where business_id = 2 and user_id = 3`,

    sql`insert into audit_events (event, actor_id, subject_type, subject_id, ip, outcome, details, program)
      select kind, 1, 'user', 2, '127.0.0.1', case when nth % 2 = 0 then 'done' else 'refused' end, '{"deep": {"er": 1}}',
        case when nth % 2 = 0 then 'Zoë’s "script"' end
      from ${list(auditEvent.options)} as e (kind, nth)`,
    sql`insert into change_batches (id, user_id, kind, source, count, program, made_at, recorded_at)
      select ('00000000-0000-4000-8000-' || lpad(nth::text, 12, '0'))::uuid, 1, kind, 'profile', nth,
        case when nth % 2 = 0 then 'n8n' end, case when nth = 3 then now() end, case when nth = 3 then now() end
      from ${list(changeKind.options)} as c (kind, nth)`,
    sql`update change_batches set undoes = '00000000-0000-4000-8000-000000000001'
      where id = '00000000-0000-4000-8000-000000000015'`,
    sql`insert into changes (batch_id, lead_id, business_id, field, item, before, after, moved_from) values
      ('00000000-0000-4000-8000-000000000001', 1, null, 'status', '', '"new"', '"in_progress"', 2),
      ('00000000-0000-4000-8000-000000000005', null, 1, 'phone', 'x', 'null', '"0113"', null)`,
    sql`insert into duplicate_pairs (business_id, other_id, score, reasons, state, decided_by, decided_at)
      select 1, nth + 1, 0.1 * nth, array['name', 'phone'], kind, 1, now()
      from ${list(['open', 'dismissed', 'merged'])} as p (kind, nth)`,
    sql`insert into merged_rows (batch_id, table_name, row_id, lead_id, before, after) values
      ('00000000-0000-4000-8000-000000000014', 'businesses', 20, 1, '{"merged_into": null}', '{"merged_into": 1}')`,

    sql`insert into proposals (id, user_id, program, token_id, reason, fingerprint, created_at, expires_at, decided_at)
      values ('00000000-0000-4000-8000-000000000001', 1, 'n8n', gen_random_uuid(), E'Because "é"\\n2', 'aGFzaA', now(), now() + interval '7 days', now())`,
    sql`insert into proposal_changes (proposal_id, lead_id, change, base, state, problem)
      select '00000000-0000-4000-8000-000000000001', 1, '{"kind": "add_tag", "tag": "ü;\\""}', '{"status": "new"}', kind, 'Changed since'
      from ${list(proposedState.options)} as s (kind, nth)`,

    sql`insert into imports (id, user_id, file_name, state, started_at, finished_at, size, complete, sheets, sheet, columns,
        preview, choices, last_row, read_bytes, read_rows, successful, failed, created, repeated, message, batch_id)
      select ('00000000-0000-4000-8000-' || lpad(nth::text, 12, '0'))::uuid, 1, 'spring.csv', kind, now(), now(), 1000, true,
        array['Sheet 1'], 'Sheet 1', '[{"heading": "Company", "samples": ["\\\\ \\"é\\""], "target": "Business Name"}]', '{"rows": 1}',
        '{"duplicates": "skip"}', 12, 900, 11, 8, 2, 7, 1, 'A message', gen_random_uuid()
      from ${list(['done', 'cancelled', 'stopped'])} as i (kind, nth)`,
    sql`insert into import_refused_rows (import_id, row, reason, cells, wrong) values
      ('00000000-0000-4000-8000-000000000001', 2, 'No name', '["a\\n\\"b\\"", ""]', '[0]')`,
    sql`insert into import_matches (import_id, row, business_id, left_out, repeated) values
      ('00000000-0000-4000-8000-000000000001', 3, 1, true, true)`,
    sql`insert into import_assignees (import_id, row, user_id) values ('00000000-0000-4000-8000-000000000001', 3, 3)`,
    sql`insert into import_mappings (headings_hash, targets) values ('hash', '["Business Name", null]')`,

    sql`insert into notifications (user_id, title, message, related_business_id, related_user_business_id, source_user_id, read,
        type, lead_ids, batch, comment_id)
      select 1, 'A title', '{source} did it', 1, 1, 3, nth % 2 = 0, kind, array[1, 2], gen_random_uuid(),
        case when kind = 'lead_comment' then 1 end
      from ${list(['lead_assigned', 'lead_reassigned_to', 'import_finished', 'follow_up_due', 'lead_comment'])} as n (kind, nth)`,
    sql`insert into morning_emails (day) values ('2026-02-28')`,
    sql`insert into weekly_emails (monday) values ('2026-02-23')`,
    sql`insert into push_settings (user_id, kinds, details, at_any_time) values (1, array['follow_up_due'], true, false)`,
    sql`insert into calendar_feeds (user_id, token) values (1, 'hash of a token')`,

    sql`insert into places (source, source_id, name, categories, address, town, postcode, phone, website, email, latitude,
        longitude, rating, user_ratings_total, price_level, business_status, opening_hours)
      values ('osm', 'node/1', 'Bäckerei', array['bakery', 'café'], '1 High Street', 'Leeds', 'LS1 1AA', '0113', 'https://x.example',
        'a@b.example', 53.8, -1.5, 4.5, 10, 2, 'OPERATIONAL', 'Mo-Fr 08:00-18:00')`,
    sql`insert into places_usage (month, calls) values ('2026-02', 17)`,
    sql`insert into sweeps (id, user_id, business_type, keyword, places, provider, state, stop_requested, message, finished_at)
      select ('00000000-0000-4000-8000-' || lpad(nth::text, 12, '0'))::uuid, 1, 'Bakery', 'vegan', array['LS', 'WF1'], 'google',
        kind, 'pause', 'A message', now()
      from ${list(['done', 'stopped'])} as s (kind, nth)`,
    sql`insert into sweep_districts (sweep_id, district, position, state, calls, called_at, found, added, more, error)
      select '00000000-0000-4000-8000-000000000001', 'LS' || nth, nth, kind, 2, now(), 60, 12, true, 'A reason'
      from ${list(['waiting', 'done', 'failed'])} as d (kind, nth)`,
    sql`insert into sweep_results (sweep_id, business_id, district, left_out, batch_id) values
      ('00000000-0000-4000-8000-000000000001', 1, 'LS1', 'outside', gen_random_uuid())`,
    sql`insert into district_searches (district, business_type, searched_at) values ('LS1', 'Bakery', now())`,
    sql`insert into team_settings (name, value, changed_by) values ('outcomes', '{"shut": {"label": "Zu"}}', 1)`,
    sql`insert into objections (id, channel, since, words, source, recorded_by, program, lifted_at, lifted_by, lift_reason)
      select ('00000000-0000-4000-8000-' || lpad(nth::text, 12, '0'))::uuid, kind, '2026-02-28T10:00:00.123Z', 'Not "again" é', 'log', 1, 'n8n',
        case when nth % 2 = 0 then now() end, case when nth % 2 = 0 then 1 end, case when nth % 2 = 0 then 'Asked us back' end
      from ${list(objectionChannel.options)} as o (kind, nth)`,
    sql`insert into objection_subjects (objection_id, kind, hash, value)
      select '00000000-0000-4000-8000-000000000001', kind, 'aGFzaA' || nth, case when nth > 1 then 'Zoë’s' end
      from ${list(objectionSubject.options)} as s (kind, nth)`,
    sql`insert into own_fields (name, type, help, unit, choices, required_to_win, in_profile, in_table, on_card, in_form, position, state)
      select kind || ' é', 'choices', 'A help', 'tables', '[{"id": "1", "label": "ü", "retired": true}]', true, false, false, true, true,
        nth, kind
      from ${list(['active', 'archived', 'deleting'])} as f (kind, nth)`,
    sql`insert into territory_districts (user_id, district, set_by) values (3, 'LS1', 1)`,
    sql`insert into saved_views (owner_id, name, shared, settings, deleted_at) values
      (1, 'Mine', false, '{"status": "new"}', null), (1, 'Shared', true, '{"sort": "name"}', now())`,
    sql`insert into trips (id, user_id, started_at, latitude, longitude, start_name)
      values ('00000000-0000-4000-8000-000000000001', 1, '2026-02-28T09:00:00.123Z', 53.8, -1.5e-7, 'LS1, Leeds')`,
    sql`insert into trip_stops (trip_id, lead_id, holder_id, position, reason, arrived_at) values
      ('00000000-0000-4000-8000-000000000001', 1, 1, 1, '{"kind": "due", "at": "2026-02-28T10:00:00.000Z"}', now()),
      ('00000000-0000-4000-8000-000000000001', 2, 1, 2, '{"kind": "near", "miles": 0.4}', null)`,
    sql`insert into webhooks (url, events, view_id, signature, secret, public_key, old_secret, old_until, state, off_reason,
        failing_since, paused_until)
      values ('https://hooks.example.test/é?a=1', array['lead.created', 'user.created'], gen_random_uuid(), 'ed25519', 'i.c2VjcmV0',
        'whpk_a2V5', 'i.b2xk', now(), 'off', 'failing', now(), now())`,
    sql`insert into view_preferences (user_id, pinned, default_view) values (1, array['open'], 'open')`,
  ]) {
    await db.execute(statement);
  }
}
