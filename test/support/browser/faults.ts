import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const WEB = join(import.meta.dirname, '../../../web')

/** What people would call broken on a page as it stands; each is a sentence with the text it is about. */
export async function faultsOf(page: Page, language: 'en' | 'uk'): Promise<string[]> {
  const english = language === 'uk' ? untranslatable() : []
  return page.evaluate<string[]>(`(${LOOK})(${JSON.stringify(english)}, ${JSON.stringify(failures(language))})`)
}

/** What a screen says where it could not load something. */
function failures(language: 'en' | 'uk'): string[] {
  return textsOf(language).flatMap(({ texts }) =>
    Object.entries(texts).flatMap(([key, text]) => (/(^|\.)failed(Title)?$/.test(key) ? [text] : [])),
  )
}

let englishOnly: string[] | undefined

/** English texts that have a Ukrainian one of another wording and are no Ukrainian text themselves. */
function untranslatable(): string[] {
  englishOnly ??= (() => {
    const ukrainian = textsOf('uk')
    const said = new Set(ukrainian.flatMap((of) => Object.values(of.texts)))
    const known = new Map(ukrainian.map((of) => [of.feature, of.texts]))
    return textsOf('en').flatMap(({ feature, texts: own }) =>
      Object.entries(own).flatMap(([key, text]) =>
        text.includes('{{') || said.has(text) || known.get(feature)?.[key] === text ? [] : [text],
      ),
    )
  })()
  return englishOnly
}

/** All texts of a language, by the file they stand in. */
function textsOf(language: 'en' | 'uk') {
  return globSync([`features/*/*/*.${language}.json`, `i18n/${language}/*.json`], { cwd: WEB }).map((path) => ({
    feature: path.replace(new RegExp(`[./]${language}(?=[./])`), ''),
    texts: JSON.parse(readFileSync(join(WEB, path), 'utf8')) as Record<string, string>, // a test holds their shape
  }))
}

/**
 * Runs in the page. Failed: what could not be loaded. Cut: a text with a figure that its box hides a part of. Overlap: two texts, or a text and a control, of which
 * neither holds the other, over one another. Scrolls: the page itself is wider than the window.
 */
const LOOK = String.raw`(english, failures) => {
  const faults = new Set()
  const short = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 60)
  const scroller = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX)
  const hides = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible'
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.add('scrolls: the page is wider than the window')
  const main = document.querySelector('main')
  if (main && main.scrollWidth > main.clientWidth + 1) faults.add('scrolls: what stands in the frame is wider than it')

  // the texts one sees: each with the part of its box that nothing hides
  const layer = [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"], [data-position]')].filter((one) => one.offsetParent !== null || getComputedStyle(one).position === 'fixed')
  const root = layer.at(-1) ?? document.body
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const seen = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = short(node.textContent)
    const holder = node.parentElement
    if (text === '' || holder.closest('script, style, .ohma-silent, [aria-hidden="true"] svg, svg, canvas, option')) continue
    const style = getComputedStyle(holder)
    if (style.visibility === 'hidden' || style.opacity === '0') continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (box.width < 1 || box.height < 1) continue
    let { left, top, right, bottom } = box
    let cut = false
    let under = false
    for (let one = holder; one && one !== document.documentElement; one = one.parentElement) {
      const look = getComputedStyle(one)
      if (Number(look.opacity) === 0 || look.visibility === 'hidden') { under = true; break }
      if (!hides(look)) { if (look.position === 'fixed') break; continue }
      const rect = one.getBoundingClientRect()
      if (look.clipPath === 'inset(50%)' || rect.width <= 1) { under = true; break }
      if (!scroller(one) && (box.right > rect.right + 1.5 || box.left < rect.left - 1.5)) cut = true
      left = Math.max(left, rect.left); right = Math.min(right, rect.right)
      top = Math.max(top, rect.top); bottom = Math.min(bottom, rect.bottom)
      if (look.position === 'fixed') break
    }
    if (under) continue
    if (cut && /^(?:\p{Lu}{3}\s?)?[^\p{L}]*\d[\d\s.,:%+−–-]*(?:[^\p{L}]{0,3}|\p{L}{1,4}\.?)$/u.test(text)) faults.add('cut: ' + text)
    else if (cut && holder.closest('[class*="Badge"], th, button, [role="tab"]') && !holder.closest('[title], td')) faults.add('cut label: ' + text)
    if (right - left > 2 && bottom - top > 2) seen.push({ node, holder, text, left, top, right, bottom })
  }

  for (let i = 0; i < seen.length; i += 1)
    for (let j = i + 1; j < seen.length; j += 1) {
      const [a, b] = [seen[i], seen[j]]
      if (a.holder === b.holder || a.holder.contains(b.holder) || b.holder.contains(a.holder)) continue
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (across <= 3 || down <= 5) continue
      // what stands on top of the other at that place, opaque, hides it instead of mixing with it
      const [x, y] = [Math.max(a.left, b.left) + across / 2, Math.max(a.top, b.top) + down / 2]
      const stack = document.elementsFromPoint(x, y)
      const [at, bt] = [stack.findIndex((one) => a.holder === one), stack.findIndex((one) => b.holder === one)]
      if (at < 0 || bt < 0) continue
      const [first, last] = [Math.min(at, bt), Math.max(at, bt)]
      const opaque = stack.slice(first, last).some((one) => { const c = getComputedStyle(one).backgroundColor; return c !== 'transparent' && !/, 0\)$/.test(c) && !/\/ 0\)$/.test(c) })
      if (!opaque) faults.add('overlap: ' + a.text + ' | ' + b.text)
    }

  // texts that were forgotten: keys as they are, and English in a Ukrainian panel
  const forgotten = new Set(english)
  const said = (text, where) => {
    const plain = text.replace(/\s+/g, ' ').trim()
    if (forgotten.has(plain)) faults.add('untranslated ' + where + ': ' + short(plain))
    if (/^[a-z][a-zA-Z]*(\.[a-zA-Z_]+)+$/.test(plain) && !/\.(com|example|net|org|test|io|html|png)$/.test(plain)) faults.add('key ' + where + ': ' + plain)
  }
  for (const one of document.querySelectorAll(':is([aria-label], [placeholder], [title]):not(td *, td)'))
    for (const name of ['aria-label', 'placeholder', 'title']) if (one.hasAttribute(name)) said(one.getAttribute(name), name)
  for (const { text } of seen) if (failures.includes(text)) faults.add('failed: ' + text)
  for (const { node } of seen) if (!node.parentElement.closest('td, code, pre, [data-raw]')) said(node.textContent, 'text')
  if (/\{\{|undefined|\bNaN\b|\[object /.test(root.innerText)) faults.add('raw: ' + short(/.{0,20}(\{\{|undefined|\bNaN\b|\[object ).{0,20}/.exec(root.innerText)?.[0] ?? ''))
  return [...faults]
}`
