-- Whether anything around has a price: where nothing has, a price range leaves nothing out, and is not asked for.
create index places_priced_cell on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer))
  where price_level is not null;
