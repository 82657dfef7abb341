/** A text with numbered chapters, as the editor would write it. */
export function chapters(opening: string, parts: readonly (readonly [title: string, text: string])[]): string {
  return `<p>${opening}</p>${parts.map(([title, text], place) => `<h2>${place + 1}. ${title}</h2><p>${text}</p>`).join('')}`
}
