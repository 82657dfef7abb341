import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Pair, ReadingProblem } from '../postback-reading.ts'

type Composed = { pairs: Pair[]; problem: ReadingProblem | null }

/**
 * Parameters of systems that say one thing in several, as the one thing they say: the lines of an order, an event by its name, its token or
 * its kind. It goes by the system and not by what was saved of it, so that a dialect saved before the preset knew is no wrong booking. What
 * cannot be told from documentation is a problem, and is asked about.
 */
export function composedBy(preset: string, pairs: readonly Pair[]): Composed {
  const compose = COMPOSERS[preset]
  return compose === undefined ? { pairs: [...pairs], problem: null } : compose(pairs)
}

const COMPOSERS: Readonly<Record<string, (pairs: readonly Pair[]) => Composed>> = {
  adjust: eventOfAdjust,
  impact: itemsOfImpact,
  partnerize: (pairs) => {
    const values = pairs.filter((pair) => isNamed(pair, 'value') && pair.value.trim() !== '')
    // two lines of the same price are two sales, and would look like one said twice
    return values.length > 1 ? faultOf(pairs, 'value') : ofOnePiece(pairs, 'quantity')
  },
  keitaro: listedIn(['status'], {
    lead_status: 'lead',
    sale_status: 'sale',
    rejected_status: 'rejected',
    reject_status: 'rejected',
    trash_status: 'trash',
    rebill_status: 'rebill',
    ignore_status: null,
  }),
  scaleo: listedIn(['conv_status', 'status'], {
    approved_status: 'approved',
    pending_status: 'pending',
    rejected_status: 'rejected',
    trash_status: 'trash',
  }),
  // each position comes by itself under the number of its order: the second would pass for a correction of the first
  admitad: (pairs) => ofOnePiece(pairs, 'position_count', 'position_id', 'quantity'),
}

/**
 * A status that other parameters say the meaning of, each with a list of words: it carries the system's own word for that. What two lists
 * have, and what is to be passed over (null), is asked about.
 */
function listedIn(statuses: readonly string[], lists: Readonly<Record<string, string | null>>): (pairs: readonly Pair[]) => Composed {
  const listOf = ({ name }: Pair) => name.trim().toLowerCase()
  return (pairs) => {
    const given = pairs.filter((pair) => Object.hasOwn(lists, listOf(pair)))
    const naming = (word: string) => given.filter(({ value }) => wordsIn(value).includes(word))
    const told = pairs.map((pair) => {
      const word = isNamed(pair, ...statuses) ? pair.value.trim().toLowerCase() : ''
      return { pair, found: word === '' ? [] : naming(word) }
    })
    for (const { found } of told) {
      const meanings = new Set(found.map((list) => lists[listOf(list)]))
      if (meanings.size > 1 || meanings.has(null)) return faultOf(pairs, found.at(-1)?.name ?? '')
    }
    return {
      pairs: told.map(({ pair, found: [list] }) => {
        const listed = list === undefined ? null : lists[listOf(list)]
        return typeof listed === 'string' ? { ...pair, listed } : pair
      }),
      problem: null,
    }
  }
}

/** The words of a list, which may be encoded once more than the rest. */
function wordsIn(list: string): string[] {
  return list
    .replaceAll(/%2C/gi, ',')
    .split(/[,;|]/)
    .map((word) =>
      word
        .replaceAll(/[[\]"']/g, '')
        .trim()
        .toLowerCase(),
    )
}

/** An event is called by its name, else by its token, else by its kind: a session or an uninstall must not pass for what has no name. */
function eventOfAdjust(pairs: readonly Pair[]): Composed {
  const filled = (...names: string[]) => pairs.some((pair) => isNamed(pair, ...names) && pair.value.trim() !== '')
  const isTold = filled('event_name', 'event', 'goal')
  const hasToken = filled('event_token')
  // the address of a goal, which was given for installs
  const isForGoal = filled('goal')
  return {
    pairs: pairs.flatMap((pair): Pair[] => {
      if (isNamed(pair, 'event_token')) return isTold ? [] : [{ ...pair, means: 'goal' }]
      if (!isNamed(pair, 'activity_kind')) return [pair]
      const kind = pair.value.trim().toLowerCase()
      const isInstall = kind === 'install' || (kind === 'rejected_install' && filled('rejection_reason'))
      const isCalled = kind === 'event' ? isTold || hasToken : isInstall && isForGoal
      return isCalled ? [] : [{ ...pair, means: 'goal' }]
    }),
    problem: null,
  }
}

type Line = { price?: string; subtotal?: string; quantity?: string; first: string }
const ITEM = /^item(price|subtotal|quantity)(\d{1,3})$/i

/** The sum of all lines: what one costs times how many, or what the line comes to. */
function itemsOfImpact(pairs: readonly Pair[]): Composed {
  const lines = new Map<string, Line>()
  for (const { name, value } of pairs) {
    const [, what, number] = ITEM.exec(name.trim()) ?? []
    if (what === undefined || number === undefined || value.trim() === '') continue
    const line = lines.get(number) ?? { first: name.trim() }
    const field = what.toLowerCase() as 'price' | 'subtotal' | 'quantity' // as the expression lists them
    if ((line[field] ?? value.trim()) !== value.trim()) return faultOf(pairs, name)
    lines.set(number, { ...line, [field]: value.trim(), first: field === 'quantity' ? line.first : name.trim() })
  }
  const [only] = lines.values()
  if (only === undefined) return { pairs: [...pairs], problem: null }
  // one line of one piece is read as any amount is
  if (lines.size === 1 && (only.quantity ?? '1') === '1' && (only.price === undefined) !== (only.subtotal === undefined))
    return { pairs: pairs.filter((pair) => !isNamed(pair, `itemquantity${[...lines.keys()][0]}`)).map(asAmount), problem: null }
  let sum = 0n
  for (const line of lines.values()) {
    const units = unitsOfLine(line)
    if (units === null) return faultOf(pairs, line.first)
    sum += units
  }
  return {
    pairs: [...pairs.filter(({ name }) => !ITEM.test(name.trim())), { name: only.first, value: fromUnits(sum), means: 'amount' }],
    problem: null,
  }
}

function asAmount(pair: Pair): Pair {
  return ITEM.test(pair.name.trim()) ? { ...pair, means: 'amount' } : pair
}

/** What a line comes to; null where it can be read in more than one way. */
function unitsOfLine({ price, subtotal, quantity = '1' }: Line): bigint | null {
  if (!/^\d{1,6}$/.test(quantity)) return null
  const [each, whole] = [price, subtotal].map((text) => (text === undefined ? undefined : plainUnits(text)))
  if (each === null || whole === null) return null
  const counted = each === undefined ? undefined : each * BigInt(quantity)
  if (counted === undefined) return whole ?? null
  // a discount, or the price of all of them: nobody has said which
  return whole === undefined || whole === counted ? counted : null
}

function plainUnits(text: string): bigint | null {
  return /^\d{1,12}(\.\d{1,4})?$/.test(text) ? toUnits(text) : null
}

/** Refused where one of some counts is none of a single piece. */
function ofOnePiece(pairs: readonly Pair[], ...names: string[]): Composed {
  const more = pairs.find((pair) => isNamed(pair, ...names) && !/^(1([.,]0+)?)?$/.test(pair.value.trim()))
  return more === undefined ? { pairs: [...pairs], problem: null } : faultOf(pairs, more.name)
}

function isNamed({ name }: Pair, ...names: string[]): boolean {
  return names.includes(name.trim().toLowerCase())
}

function faultOf(pairs: readonly Pair[], parameter: string): Composed {
  return { pairs: [...pairs], problem: { reason: 'ambiguous', parameter: parameter.trim().slice(0, 64) } }
}
