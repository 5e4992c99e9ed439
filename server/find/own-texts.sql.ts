import { sql } from 'drizzle-orm';

/** The fields of the team's own whose words leads are found by. The alias of own_fields is `field`. */
export const IS_FOUND_BY_WORDS = sql`field.state = 'active' and is_found_by_words(field.type)`;

/** The values that a lead is found by, with the names of their fields. */
export const OWN_TEXTS = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('name', field.name, 'text', lead.own_fields ->> field.id::text)
    order by field.position, field.id), '[]')
  from own_fields field where lead.own_fields ? field.id::text and ${IS_FOUND_BY_WORDS}) as "ownTexts"`;
