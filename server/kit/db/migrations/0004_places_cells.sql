-- Where a place is, as one of the squares of a twentieth of a degree. Of a box in the index before this one the database
-- could not tell how many places lie in it, and read two hundred thousand around London to find an aquarium; of squares
-- it keeps count. The column of that index stays for processes of the release before.
create index places_cell on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer));
drop index places_location;
analyze places;
