import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reportSort } from '#contract/traffic/report.ts'
import { askedOf, compared, renewed } from '#web/kit/list/condition.ts'
import { carried, OLD_NAMES } from '#web/traffic-address.ts'
import { readReport, reportBody, writeReport } from '#web/features/traffic/report/report-address.ts'

const METRICS = ['clicks', 'conversions'] as const
const read = (text: string) => readReport(new URLSearchParams(text), METRICS)

describe('the address of a report', () => {
  it('reads back what it wrote', () => {
    const text =
      'period=custom&from=2026-11-01&to=2026-11-20&group=offer%2Cgeo&metrics=clicks%2Cpayout&currency=EUR&time=click&compare=1&sort=payout&direction=asc&page=3&is.offer=7&is.geo=UA&is.geo=PL'
    expect(writeReport(read(text), METRICS).toString()).toBe(text)
  })

  it('holds the way there, without names, and passes over what is no step', () => {
    const report = read('trail=group%3Doffer%26is.geo%3DUA%23not.offer%3D7&trail=drop&trail=x%23is.nothing%3D7&is.geo=UA')
    expect(report.trail).toEqual([{ dimension: 'offer', value: '7', not: true, search: 'group=offer&is.geo=UA' }])
    expect(read(writeReport(report, METRICS).toString())).toEqual(report)
    const value = 'a#b=c\nd'
    const odd = { ...report, trail: Array.from({ length: 12 }, () => ({ dimension: 'sub1' as const, value, not: false, search: '' })) }
    expect(read(writeReport(odd, METRICS).toString()).trail).toEqual(odd.trail.slice(0, 8))
  })

  it('loses a filter that is taken away', () => {
    const report = read('is.offer=7&is.geo=UA')
    expect(writeReport({ ...report, filters: { ...report.filters, 'is.offer': undefined } }, METRICS).toString()).toBe('is.geo=UA')
  })

  it('holds days of one’s choice to compare with, in order and both or not at all', () => {
    const text = 'compare=custom&compare_from=2026-10-01&compare_to=2026-10-20&match_weekday=1'
    expect(writeReport(read(text), METRICS).toString()).toBe(text)
    expect(reportBody(read(text))).toMatchObject({
      compare: 'custom',
      compare_days: { from: '2026-10-01', to: '2026-10-20' },
      match_weekday: true,
    })
    for (const half of ['compare=custom&compare_from=2026-10-01', 'compare=custom&compare_from=2026-10-02&compare_to=2026-10-01'])
      expect(reportBody(read(half))).toMatchObject({ compare: 'none', compare_days: null })
    expect(carried(new URLSearchParams(text), null)).toBe(`?${text}`)
  })

  it('is empty for a report nobody touched', () => {
    expect(writeReport(read(''), METRICS).toString()).toBe('')
    expect(read('').group).toEqual(['day'])
  })

  it('falls back to the defaults where a shared link is malformed', () => {
    expect(read('period=custom&from=x&group=offer,nonsense,offer,geo,os,sub1,sub2&page=-2&sort=drop')).toMatchObject({
      period: { preset: 'last_7_days' },
      group: ['offer', 'geo', 'os', 'sub1'],
      page: 1,
      sort: null,
    })
  })

  it('asks for what is, is not, is contained and is empty', () => {
    const asked = { is: [], not: [], contains: '', empty: null }
    expect(reportBody(read('is.sub1=a&not.sub1=b&not.sub1=%3D~c&has.city=vi&empty.geo=1&empty.os=0&not.offer=7')).filters).toEqual({
      sub1: { ...asked, is: ['a'], not: ['b', '~c'] },
      city: { ...asked, contains: 'vi' },
      geo: { ...asked, empty: true },
      os: { ...asked, empty: false },
      offer: { ...asked, not: ['7'] },
    })
  })

  it('of before leads to the one of today', () => {
    const today = (text: string) => renewed(new URLSearchParams(text), OLD_NAMES)?.toString()
    expect(today('is.sub1=~a&is.city=&is.sub2=%3D~a&is.sub2=b&is.offer=7')).toBe(
      'has.sub1=a&empty.city=1&is.sub2=%3D%7Ea&is.sub2=b&is.offer=7',
    )
    expect(today('_city=~vIV&offer_uuid=x&geo=PL&status=approved&_days=2026-11-01&_days=2026-11-20')).toBe(
      'has.city=vIV&is.offer=x&is.geo=PL&status=approved&period=custom&from=2026-11-01&to=2026-11-20',
    )
    expect(today('period=today&is.offer=7&has.city=~x&not.city=&zone=Europe%2FKyiv')).toBeUndefined()
  })

  it('narrows to a value and leaves one out, whatever was asked of it before', () => {
    const held = { 'is.geo': ['UA', 'PL'], 'not.geo': ['DE'], 'empty.geo': ['0'] }
    expect(askedOf('geo', { ...held, ...compared('geo', 'is', 'UA', held) })).toEqual({ is: ['UA'], not: [], contains: '', empty: null })
    expect(askedOf('geo', { ...held, ...compared('geo', 'not', 'PL', held) })).toEqual({
      is: ['UA'],
      not: ['DE', 'PL'],
      contains: '',
      empty: false,
    })
    expect(askedOf('city', compared('city', 'not', '', {}))).toEqual({ is: [], not: [], contains: '', empty: false })
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(askedOf('city', compared('city', 'is', text, {}))?.is).toEqual([text])
      }),
    )
  })

  it('keeps the zone and what other screens ask, and leaves out a zone there is not', () => {
    expect(writeReport(read('zone=Europe%2FKyiv&has.unread=utm&status=approved'), METRICS).toString()).toBe(
      'zone=Europe%2FKyiv&has.unread=utm&status=approved',
    )
    expect(read('zone=Nowhere').zone).toBeNull()
    expect(carried(new URLSearchParams('is.geo=UA&sort=clicks&page=2&not.offer=7'), 'last_7_days')).toBe(
      '?not.offer=7&is.geo=UA&period=last_7_days',
    )
  })

  it('names the order of the rows, also while nobody chose one', () => {
    expect(reportSort(read('group=offer,day'))).toEqual({ column: 'day', direction: 'asc' })
    expect(reportSort(read('group=offer&metrics=payout,clicks'))).toEqual({ column: 'payout', direction: 'desc' })
    expect(reportSort(read('group=day&sort=clicks&direction=asc'))).toEqual({ column: 'clicks', direction: 'asc' })
  })

  it('may have no grouping at all', () => {
    expect(read('group=').group).toEqual([])
  })
})
