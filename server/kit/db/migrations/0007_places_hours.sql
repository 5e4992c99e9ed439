-- Whether anything around has opening hours: where nothing has, as in most open data, "open now" leaves nothing out, and
-- the hours of a thousand places need not be fetched to see that.
create index places_hours_cell on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer))
  where opening_hours is not null;
