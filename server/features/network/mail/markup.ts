/** Values of macros, as plain text. */
export type Values = Readonly<Record<string, string>>
/** How a text is drawn: `colour` is that of the buttons, `onColour` of what stands on them. */
type Look = { colour: string; onColour: string }

/** One macro, as it is written. */
const MACRO = /\{([a-z_]+)\}/g
const INLINE = /\[([^\]\n]{1,200})\]\(([^)\s]{1,2000})\)|\*\*([^*\n]{1,500})\*\*/g

/** The names of the macros of a text, each once. */
export function macrosIn(text: string): string[] {
  return [...new Set([...text.matchAll(MACRO)].map(([, name = '']) => name))]
}

/** A text with its macros filled in: those there is no value for are left out. */
export function fill(text: string, values: Values): string {
  return text.replace(MACRO, (_macro, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))
}

/** One line for a header: a line break in a value would begin another header. */
export function headerOf(text: string, values: Values): string {
  return fill(text, values)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, 200)
}

/**
 * The plain text of a template: paragraphs, lists of `- `, `**bold**`, `[words](address)`. The markup is read before values
 * are put in, so that none of them can be markup.
 */
export function textOf(body: string, values: Values): string {
  return body
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) =>
      piecesOf(line)
        .map((piece) => ('target' in piece ? linkText(piece, values) : fill(piece.text, values)))
        .join(''),
    )
    .join('\n')
    .trim()
}

function linkText({ text, target }: { text: string; target: string }, values: Values): string {
  return `${fill(text, values)}: ${fill(target, values)}`
}

/** The same as HTML; a link alone on its line is a button. Every value is escaped. */
export function htmlOf(body: string, values: Values, look: Look): string {
  return blocksOf(body)
    .map((lines) => {
      if (lines.every((line) => line.startsWith('- ')))
        return `<ul style="margin:0 0 16px;padding-left:20px">${lines.map((line) => `<li style="margin:0 0 4px">${inline(line.slice(2), values)}</li>`).join('')}</ul>`
      const [alone, ...others] = lines.length === 1 ? piecesOf(lines[0] ?? '') : []
      const address = alone?.kind === 'link' && others.length === 0 ? safeAddress(fill(alone.target, values)) : undefined
      if (alone !== undefined && address !== undefined) return button(fill(alone.text, values), address, look)
      return `<p style="margin:0 0 16px">${lines.map((line) => inline(line, values)).join('<br>')}</p>`
    })
    .join('\n')
}

function blocksOf(body: string): string[][] {
  return body
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n+/)
    .map((block) => block.split('\n').map((line) => line.trim()))
    .map((lines) => lines.filter((line) => line !== ''))
    .filter((lines) => lines.length > 0)
}

function inline(line: string, values: Values): string {
  return piecesOf(line)
    .map((piece) => {
      if (!('target' in piece)) return piece.kind === 'bold' ? `<strong>${plain(piece.text, values)}</strong>` : plain(piece.text, values)
      const address = safeAddress(fill(piece.target, values))
      const words = escape(fill(piece.text, values))
      return address === undefined ? words : anchor(address, words)
    })
    .join('')
}

/**
 * Whether an address that is a secret stands by itself wherever a text shows it, or is the whole target of a link: within another
 * address it would be handed to whoever owns that one. Reads a text as the renderers do, so that what is checked is what is sent.
 */
export function standsAlone(body: string, name: string): boolean {
  const macro = `{${name}}`
  return body
    .replaceAll('\r\n', '\n')
    .split('\n')
    .every((line) => {
      // the macro stays where it is shown as it is; what a link leads to is judged at the link
      let shown = ''
      for (const piece of piecesOf(line)) {
        if (piece.kind === 'link') {
          if (piece.text.includes(macro) || (piece.target.includes(macro) && piece.target !== macro)) return false
          shown += `${piece.text}: ${piece.target === macro ? 'x' : piece.target}`
        } else shown += piece.text
      }
      return shown.split(macro).length - 1 === shown.split(/[ \t]/).filter((word) => word === macro).length
    })
}

type Piece = { kind: 'text' | 'bold'; text: string } | { kind: 'link'; text: string; target: string }

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of line.matchAll(INLINE)) {
    const [whole, label, target, bold] = match
    if (match.index > end) pieces.push({ kind: 'text', text: line.slice(end, match.index) })
    pieces.push(bold === undefined ? { kind: 'link', text: label ?? '', target: target ?? '' } : { kind: 'bold', text: bold })
    end = match.index + whole.length
  }
  if (end < line.length) pieces.push({ kind: 'text', text: line.slice(end) })
  return pieces
}

/** Words with macros; a value that is an address as a whole can be clicked. */
function plain(text: string, values: Values): string {
  return text
    .split(MACRO)
    .map((part, index) => {
      if (index % 2 === 0) return escape(part)
      const value = Object.hasOwn(values, part) ? (values[part] ?? '') : ''
      if (part === 'items') return items(value, values['panel'] ?? '')
      const address = CLICKABLE.has(part) ? safeAddress(part === 'contact' && value !== '' ? `mailto:${value}` : value) : undefined
      return address === undefined ? escape(value).replace(/\r?\n/g, '<br>') : anchor(address, escape(value))
    })
    .join('')
}

/** Lines of which some are followed by an address of our panel, which the line then leads to. */
function items(text: string, panel: string): string {
  const lines = text.split('\n')
  const leadsTo = (line: string | undefined) => (line?.startsWith(`${panel}/`) && panel !== '' ? safeAddress(line) : undefined)
  return lines
    .flatMap((line, index) => {
      if (leadsTo(line) !== undefined && index > 0) return []
      const address = leadsTo(lines[index + 1])
      return [address === undefined ? escape(line) : anchor(address, escape(line))]
    })
    .join('<br>')
}

/** The macros whose values we make ourselves, and are addresses. */
const CLICKABLE = new Set(['link', 'panel', 'contact'])

function anchor(address: string, words: string): string {
  return `<a href="${escape(address)}" style="color:#1d4ed8">${words}</a>`
}

function button(words: string, address: string, { colour, onColour }: Look): string {
  return `<p style="margin:0 0 20px"><a href="${escape(address)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:${colour};color:${onColour};font-weight:600;text-decoration:none">${escape(words)}</a></p>`
}

/** An address people may be led to, as it is written in full; others are no links. */
function safeAddress(text: string): string | undefined {
  const address = text.trim()
  if (!/^(https?:\/\/|mailto:)[^\s"<>]+$/i.test(address) || !URL.canParse(address)) return undefined
  return address
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
}
