/** The columns of the fields a contract declares, to select from the table of that alias. */
export function columnsOf<Fields extends object, Alias extends string>(fields: Fields, alias: Alias) {
  return Object.keys(fields).map((name) => `${alias}.${name}`) as `${Alias}.${keyof Fields & string}`[] // its own names
}

/** The values of the fields a contract declares, to write to their columns. */
export function pickFields<Values extends object, Fields extends Record<string, unknown>>(
  values: Values,
  fields: Fields,
): Pick<Values, keyof Fields & keyof Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in fields)) as Pick<Values, keyof Fields & keyof Values> // the names of both
}

/** The values without those of the fields a contract declares. */
export function leaveFields<Values extends object, Fields extends Record<string, unknown>>(
  values: Values,
  fields: Fields,
): Omit<Values, keyof Fields> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in fields))) as Omit<Values, keyof Fields> // the others
}
