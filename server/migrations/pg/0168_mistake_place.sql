-- Mistakes that were kept in one value got their place in the whole file; their place is one in their row, and a row is counted by its first.
update lead_list_import_mistake m set place = -n.place
  from (select import_id, row, place as was, row_number() over (partition by import_id, row order by place) as place from lead_list_import_mistake) n
 where m.import_id = n.import_id and m.row = n.row and m.place = n.was;
update lead_list_import_mistake set place = -place;
