/** Ukrainian letters by Resolution 55 of the Cabinet of Ministers of 2010: at the beginning of a word, and elsewhere. */
const FIRST: Readonly<Record<string, string>> = { є: 'ye', ї: 'yi', й: 'y', ю: 'yu', я: 'ya' }
const ELSEWHERE: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'h',
  ґ: 'g',
  д: 'd',
  е: 'e',
  є: 'ie',
  ж: 'zh',
  з: 'z',
  и: 'y',
  і: 'i',
  ї: 'i',
  й: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ю: 'iu',
  я: 'ia',
  ь: '',
  ы: 'y',
  э: 'e',
  ё: 'e',
  ъ: '',
}
/** Latin letters that are no letter with a mark. */
const OTHER: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  '’': "'",
  ʼ: "'",
  '–': '-',
  '—': '-',
  '№': 'No',
  '&': '+',
}

/**
 * A text in the letters payments of SEPA may have (a–z, A–Z, 0–9, `/ - ? : ( ) . , ' +` and space), without `/` at an end and without
 * `//`; what has no counterpart becomes a space.
 */
export function latin(text: string, longest: number): string {
  const told = [...text.normalize('NFC')].map((letter, at, all) => {
    const small = letter.toLowerCase()
    const isFirst = at === 0 || !/[\p{L}’ʼ']/u.test(all[at - 1] ?? '')
    if (small === 'г' && (all[at - 1] ?? '').toLowerCase() === 'з') return cased('gh', letter)
    if (/['’ʼ]/.test(letter) && /[а-яєіїґ]/i.test(all[at + 1] ?? '')) return ''
    const found = (isFirst ? FIRST[small] : undefined) ?? ELSEWHERE[small] ?? OTHER[small] ?? OTHER[letter]
    return found === undefined ? letter : cased(found, letter)
  })
  return told
    .join('')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .replace(/^[/\s]+|[/\s]+$/g, '')
}

function cased(text: string, letter: string): string {
  return letter === letter.toLowerCase() ? text : text.charAt(0).toUpperCase() + text.slice(1)
}
