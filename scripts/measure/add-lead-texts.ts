import type { Pool } from 'pg';
import { withoutTimeout } from './database.ts';
import { dropIndexes, STEP } from './generate-leads.ts';

/** Gives generated leads other postcodes, contacts, notes and activities: a few sentences, and random words for a vocabulary. */
export const addLeadTexts = (pool: Pool, leads: number) =>
  withoutTimeout(pool, async (client) => {
    const createIndexes = await dropIndexes(client);
    for (const table of ['businesses', 'user_businesses'])
      await client.query(`alter table ${table} disable trigger user`);
    for (let from = 1; from <= leads; from += STEP) {
      for (const statement of STATEMENTS) await client.query(statement, [from, from + STEP - 1]);
    }
    await client.query(
      'insert into find_words select distinct find_words_in(find_text) from user_businesses on conflict do nothing',
    );
    for (const table of ['businesses', 'user_businesses'])
      await client.query(`alter table ${table} enable trigger user`);
    await createIndexes();
    for (const table of ['businesses', 'user_businesses', 'contact_activities']) {
      await client.query(`vacuum analyze ${table}`);
    }
  });

const SYLLABLES = 'ar|bel|cor|dan|el|fin|gor|hol|is|jen|kar|lom|mer|nor|os'.split('|');
const WORDS = SYLLABLES.flatMap((first) => SYLLABLES.map((second) => first + second));

const words = `(select string_agg((array['${WORDS.join("','")}'])[1 + abs(hashint4(id * 31 + n)) % ${WORDS.length}], ' ')
  from generate_series(1, 6) n)`;

const STATEMENTS = [
  `update businesses set formatted_address = regexp_replace(formatted_address, ' \\S+ \\S+, UK$', ' ' || chr(65 + id % 26) ||
     chr(65 + id / 26 % 26) || (1 + id % 20) || ' ' || id % 10 || chr(65 + id / 7 % 26) || chr(65 + id / 11 % 26) || ', UK')
   where id between $1 and $2`,
  `update user_businesses set
     notes = 'Spoke to the owner. Ring back about R' || id || ' ' || ${words} || '. ' || notes,
     custom_fields = jsonb_build_object('email', 'owner' || id || '@example.test', 'contactPerson',
       (array['Orla', 'Sam', 'Priya', 'Tomasz'])[1 + id % 4] || ' ' || chr(65 + id % 26) || 'son' || id % 5000)
   where id % 3 = 0 and id between $1 and $2`,
  // As the triggers would set them, which are disabled.
  `update user_businesses lead set find_text = find_business(business.name, business.town, business.formatted_address,
     business.phone, business.international_phone) || find_contact(lead.custom_fields), note_words = find_notes(lead.notes)
   from businesses business where business.id = lead.business_id and lead.id between $1 and $2`,
  `insert into contact_activities (user_business_id, type, description)
   select id, 'call', 'Called, left a message about order ' || id || ' ' || ${words}
   from user_businesses where id % 2 = 0 and id between $1 and $2`,
];
