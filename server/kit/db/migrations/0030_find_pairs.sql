-- Two letters are looked up by the trigrams that begin with them: "ab" by "aba" to "ab9", and "ab" at the end of a word. Leads with
-- letters of other alphabets, which could come after them as well, are in this index; in most databases there are few.
create index user_businesses_other_letters_idx on user_businesses (id) where find_text ~ '[^\u0001-\u007f]';
