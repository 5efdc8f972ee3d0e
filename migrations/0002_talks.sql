-- Who spoke in a session, found without reading its turns; and the turns of people in their order.
CREATE INDEX resources_by_speaker ON resources (user_id, session_id, sender)
  WHERE sender IS NOT NULL AND role = 'user';
