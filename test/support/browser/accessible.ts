import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Expects that axe finds no accessibility fault on the page as it stands. The panel has no frames, so axe runs in the page
 * itself, where it stays until the next load, and only what it objects to is described. With `rules`, those alone are looked at.
 */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  expect(await accessibilityFaults(page, rules), page.url()).toEqual([])
}

/** What axe objects to on the page as it stands, by rule; `within` a selector only where that is looked at. */
export async function accessibilityFaults(page: Page, rules?: string[], within?: string): Promise<string[]> {
  const runOnly = rules && { type: 'rule', values: rules }
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly })
  await page.evaluate(DRAWN)
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE + CONTRAST)
  const [faults, sound] = await page.evaluate<[string[], number[]]>(`(async () => {
    const sound = markContrasts(${JSON.stringify([...contrasts])})
    const { violations } = await axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, ${options})
    const faults = violations
      // the arrow keys walk a menu and a list of options, and what they come to is scrolled to
      .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => id !== 'scrollable-region-focusable' || !/role="(menu|listbox)"/.test(html)) }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '))
    return [faults, sound]
  })()`)
  const looked = within === undefined && (rules === undefined || rules.includes('color-contrast'))
  if (looked && faults.length === 0) for (const one of sound) contrasts.add(one)
  return faults
}

/** The contrasts this worker's pages have been found sound in, each as a hash of what it comes from. */
const contrasts = new Set<number>()

/**
 * To measure contrasts is most of what axe does, and texts of one colour, size and weight on the same grounds have the same one. So of
 * those that were not seen before one is measured, and nothing that is known; which, is told by an attribute. Answers what will
 * be known when axe finds no fault: not what stands below something else, where axe does not decide.
 */
const CONTRAST = String.raw`
;axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-contrast]' }] })
window.markContrasts = (known) => {
  for (const one of document.querySelectorAll('[data-contrast]')) one.removeAttribute('data-contrast')
  const seen = new Set(known)
  const sound = []
  const grounds = new Map([[null, '']])
  const groundOf = (element) => {
    if (grounds.has(element)) return grounds.get(element)
    const { backgroundColor, backgroundImage, opacity, filter, position, mixBlendMode } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position === 'static' || position === 'relative' ? '' : position].join(' ')
    const off = element.matches('[disabled], [aria-disabled=true], [inert], [aria-hidden=true]') || element.control?.disabled ? 'off' : ''
    const plain = own === 'rgba(0, 0, 0, 0) none 1 none normal ' && off === ''
    const all = groundOf(element.parentElement) + (plain ? '' : '|' + own + off)
    grounds.set(element, all)
    return all
  }
  const hash = (text) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at++) {
      a = Math.imul(a ^ text.charCodeAt(at), 2654435761)
      b = Math.imul(b ^ text.charCodeAt(at), 1597334677)
    }
    return (b >>> 0) * 2097152 + (a >>> 11)
  }
  const layers = document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT)
  for (let element = texts.currentNode; element; element = texts.nextNode()) {
    const says = /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    if (!says) continue
    const { left, top, width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0) continue
    const { color, fontSize, fontWeight, textShadow, visibility } = getComputedStyle(element)
    const sign = hash([color, fontSize, fontWeight, textShadow, visibility, element.tagName === 'INPUT', groundOf(element)].join(' '))
    if (seen.has(sign)) continue
    element.setAttribute('data-contrast', '')
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    if (hit === null ? layers : !element.contains(hit)) continue
    seen.add(sign)
    sound.push(sign)
  }
  return sound
}`

/** Expects the same of the page in the light scheme and, where only colours differ, in the dark one. The page is light again afterwards. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await show(page, 'dark')
  await expectAccessible(page, ['color-contrast', 'link-in-text-block'])
  await show(page, 'light')
}

/** Half-way colours are nobody's fault; what turns for ever never ends. */
const DRAWN = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished),
  ).then(() => null),
)`

/** Changes the scheme, and waits until the page knows. */
async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe(colorScheme)
}
