-- Whether anything around has ratings: where nothing has, as in most open data, the nearest places are the best ones, and
-- need not be picked from all that lie in a wide circle.
create index places_rated_cell on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer))
  where rating is not null or user_ratings_total is not null;
