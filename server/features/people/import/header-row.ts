/** How many rows at the top are looked at for titles. */
const MOST_TITLES = 20

/**
 * Which of the first rows holds the names of the columns: the first, unless it and those after it are titles of one cell above rows of
 * several. A file of one column has no titles.
 */
export function headerRow(rows: readonly (readonly string[])[]): number {
  const first = rows.slice(0, MOST_TITLES).findIndex(isOfSeveral)
  const below = rows.slice(first + 1)
  // below names stands a table: a value with a comma among single ones makes none, and a total at its end is none of it
  return first > 0 && below.length > 0 && below.filter(isOfSeveral).length >= below.length * 0.8 ? first : 0
}

function isOfSeveral(cells: readonly string[]): boolean {
  return cells.filter((cell) => cell.trim() !== '').length > 1
}
