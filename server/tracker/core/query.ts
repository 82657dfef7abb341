import { LONGEST_QUERY } from './parameter-parser.ts'

/**
 * The part of an address behind its question mark, one byte per character: `bytes[from..to)`, as it lies in what came, or
 * in a buffer of its own. Refilled for every request; only who leaves the ordinary way asks for its text.
 */
export class Query {
  bytes: Uint8Array = NOTHING
  from = 0
  to = 0
  #source: Buffer = NOTHING
  #text: string | null = ''
  readonly #own = Buffer.alloc(LONGEST_QUERY)

  /** Nothing may change the bytes while the request is read. */
  setBytes(bytes: Buffer, from: number, to: number): void {
    this.bytes = this.#source = bytes
    this.from = from
    this.to = to
    this.#text = null
  }

  /** Of a text that is too long for the core there are no bytes, only its length. */
  setText(text: string): void {
    this.#text = text
    this.bytes = this.#own
    this.from = 0
    this.to = text.length
    if (text.length <= LONGEST_QUERY) this.#own.latin1Write(text, 0)
  }

  /**
   * Whether a name in it may be in capitals or have HTML's `amp;` before it: told from its bytes, for every click is asked. Of one too long for
   * the core there are none: it is read anyway.
   */
  mayBeMisspelt(): boolean {
    const { bytes, from, to } = this
    if (to - from > LONGEST_QUERY) return true
    let isName = true
    for (let at = from; at < to; at++) {
      const byte = bytes[at]! // from and to lie within
      if (byte === AND) {
        isName = true
        if (bytes[at + 1] === AMP[0] && bytes[at + 2] === AMP[1] && bytes[at + 3] === AMP[2]) return true
      } else if (byte === EQUALS) isName = false
      else if (isName && byte >= BIG_A && byte <= BIG_Z) return true
    }
    return false
  }

  get text(): string {
    return (this.#text ??= this.#source.latin1Slice(this.from, this.to))
  }
}

const NOTHING = Buffer.alloc(0)
const [AND, EQUALS, BIG_A, BIG_Z] = [38, 61, 65, 90]
const AMP = Buffer.from('amp')
