import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { announceInTitle } from '#web/kit/list/export/export-title.ts'

function page(hidden: boolean) {
  const listeners = new Set<EventListener>()
  const fake = {
    title: 'Ohma | affiliates',
    hidden,
    addEventListener: (_type: string, listener: EventListener) => void listeners.add(listener),
    removeEventListener: (_type: string, listener: EventListener) => void listeners.delete(listener),
    show: () => {
      fake.hidden = false
      for (const listener of listeners) listener(new Event('visibilitychange'))
    },
  }
  return fake as typeof fake & Pick<Document, 'addEventListener' | 'removeEventListener'> // the overloads of the DOM
}

const usual = () => 'Ohma | affiliates'

describe('the title after an export', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('says so for 3 seconds', () => {
    const shown = page(false)
    announceInTitle('Export Complete!', shown, usual)
    vi.advanceTimersByTime(2_999)
    expect(shown.title).toBe('Export Complete!')
    vi.advanceTimersByTime(1)
    expect(shown.title).toBe('Ohma | affiliates')
  })

  it('blinks every second while the tab is hidden, until somebody looks', () => {
    const hidden = page(true)
    announceInTitle('Export Complete!', hidden, usual)
    const seen = [hidden.title]
    for (let second = 0; second < 4; second++) {
      vi.advanceTimersByTime(999)
      expect(hidden.title).toBe(seen.at(-1))
      vi.advanceTimersByTime(1)
      seen.push(hidden.title)
    }
    expect(seen).toEqual(['Export Complete!', 'Ohma | affiliates', 'Export Complete!', 'Ohma | affiliates', 'Export Complete!'])
    hidden.show()
    expect(hidden.title).toBe('Ohma | affiliates')
    vi.advanceTimersByTime(5_000)
    expect(hidden.title).toBe('Ohma | affiliates')
  })

  it('leaves the title of a page that was opened meanwhile', () => {
    const shown = page(false)
    let title = 'Ohma | affiliates'
    announceInTitle('Export Complete!', shown, () => title)
    title = 'Ohma | Offers'
    shown.title = title
    vi.advanceTimersByTime(3_000)
    expect(shown.title).toBe('Ohma | Offers')
  })
})
