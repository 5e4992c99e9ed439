-- A message no longer holds the name of the user it is about: it stayed there after that user was deleted. '{source}' stands for
-- the name, which is read from the users when the message is shown.
update notifications set message = regexp_replace(message, '^.*? (assigned|reassigned|imported) ', '{source} \1 ')
where type in ('lead_assigned', 'lead_reassigned_to', 'lead_reassigned_from');

-- For the deletion of those that are older than 90 days.
create index notifications_created on notifications (created_at);
