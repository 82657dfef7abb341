/** First, last and the neighbours of the present page; undefined where pages are left out. */
export function pagesAround(page: number, last: number): (number | undefined)[] {
  const wanted = [1, page - 1, page, page + 1, last].filter((entry) => entry >= 1 && entry <= last)
  const sorted = [...new Set(wanted)].sort((one, other) => one - other)
  return sorted.flatMap((entry, index) => {
    const before = sorted[index - 1]
    if (before === undefined || entry === before + 1) return [entry]
    return entry === before + 2 ? [before + 1, entry] : [undefined, entry]
  })
}
