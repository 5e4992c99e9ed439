-- Businesses with the same e-mail address are found by it for every row of an imported file. Trigrams find parts of an
-- address; for a whole one they compare every address of the same mail host.
create index user_businesses_whole_email_idx on user_businesses (search_text(custom_fields ->> 'email'))
  where custom_fields ? 'email';
