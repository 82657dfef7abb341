-- USD 50 and UAH 50 are not the same minimum: each payment system has one for each of its currencies.
update setting set value = jsonb_set(value::jsonb, '{systems}', (
    select coalesce(jsonb_agg((s.system - 'minimum') || jsonb_build_object('minimums',
             (select coalesce(jsonb_object_agg(c.code, s.system ->> 'minimum'), '{}') from jsonb_array_elements_text(s.system -> 'currencies') as c (code)))
             order by s.place), '[]')
      from jsonb_array_elements(value::jsonb -> 'systems') with ordinality as s (system, place)))
 where key = 'payments' and value::jsonb ? 'systems';
