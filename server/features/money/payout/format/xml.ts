import { XMLParser } from 'fast-xml-parser'

/** So deep the answers of banks are; anything deeper is not one. */
const DEEPEST = 20

/** What stands in a bank's answer, attributes as `@name`; undefined where it is no XML. Entities and documents from elsewhere are never resolved. */
export function parseXml(text: string): unknown {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return undefined
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: true,
    maxNestedTags: DEEPEST,
  })
  try {
    return parser.parse(text, true)
  } catch {
    return undefined
  }
}

/** What stands at a path below an element: of several of one name in the first. */
export function at(node: unknown, ...names: string[]): unknown {
  let found = node
  for (const name of names) {
    const one: unknown = Array.isArray(found) ? found[0] : found
    found = typeof one === 'object' && one !== null && Object.hasOwn(one, name) ? Reflect.get(one, name) : undefined
  }
  return found
}

/** All elements of one name: none, one or several. */
export function list(node: unknown): unknown[] {
  return node === undefined ? [] : Array.isArray(node) ? node : [node]
}

/** The text of an element, with attributes or without; '' where it is none. */
export function textOf(node: unknown): string {
  const one: unknown = Array.isArray(node) ? node[0] : node
  const text = typeof one === 'object' ? at(one, '#text') : one
  return typeof text === 'string' ? text.trim() : ''
}

/** A code with what is said in words beside it, as ISO 20022 gives reasons. */
export function reasonOf(information: unknown): string {
  const [first] = list(information)
  return [textOf(at(first, 'Rsn', 'Cd')) || textOf(at(first, 'Rsn', 'Prtry')), ...list(at(first, 'AddtlInf')).map(textOf)]
    .filter(Boolean)
    .join(' ')
    .slice(0, 300)
}

/** An amount, or what stands in place of one; null and undefined where nothing does. */
export function statedIn(node: unknown): { amount: string | null; amountWrong: string | undefined } {
  const [amount, said] = [amountIn(node), textOf(node).trim()]
  return { amount, amountWrong: amount !== null || said === '' ? undefined : said.slice(0, 40) }
}

/** An amount as ISO 20022 writes it; null where it is none. */
export function amountIn(node: unknown): string | null {
  const amount = textOf(node)
  return /^\d{1,14}(\.\d{1,8})?$/.test(amount) ? amount : null
}
