type WithIsoDates<Row> = {
  [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] extends Date | null ? string | null : Row[Column]
}

/** A row as answers tell it: moments in ISO 8601. */
export function isoDates<Row extends object>(row: Row): WithIsoDates<Row> {
  const entries = Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : (value as unknown)])
  return Object.fromEntries(entries) as WithIsoDates<Row> // only the dates have another type
}
