import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reportSort } from '#contract/traffic/report.ts'
import { readTexts, writeTexts } from '#web/kit/list/text-values.ts'
import { readReport, reportBody, writeReport } from '#web/features/traffic/report/report-address.ts'

const METRICS = ['clicks', 'conversions'] as const
const read = (text: string) => readReport(new URLSearchParams(text), METRICS)

describe('the address of a report', () => {
  it('reads back what it wrote', () => {
    const text =
      'period=custom&from=2026-11-01&to=2026-11-20&group=offer%2Cgeo&metrics=clicks%2Cpayout&currency=EUR&time=click&compare=1&sort=payout&direction=asc&page=3&is.offer=7&is.geo=UA&is.geo=PL'
    expect(writeReport(read(text), METRICS).toString()).toBe(text)
  })

  it('loses a filter that is taken away', () => {
    const report = read('is.offer=7&is.geo=UA')
    expect(writeReport({ ...report, filters: { ...report.filters, offer: undefined } }, METRICS).toString()).toBe('is.geo=UA')
  })

  it('is empty for a report nobody touched', () => {
    expect(writeReport(read(''), METRICS).toString()).toBe('')
    expect(read('').group).toEqual(['day'])
  })

  it('falls back to the defaults where a shared link is malformed', () => {
    expect(read('period=custom&from=x&group=offer,nonsense,offer,geo,os,sub1,sub2&page=-2&sort=drop')).toMatchObject({
      preset: 'last_7_days',
      group: ['offer', 'geo', 'os', 'sub1'],
      page: 1,
      sort: null,
    })
  })

  it('asks for free texts whole and for everything else by id', () => {
    expect(reportBody(read('is.sub1=a&is.offer=7')).filters).toEqual({ sub1: { is: ['a'], contains: '' }, offer: ['7'] })
  })

  it('asks for a part of a text behind a sign, which a whole text may begin with too', () => {
    expect(reportBody(read('is.sub1=~a&is.sub2=%3D~a&is.sub2=b')).filters).toEqual({
      sub1: { is: [], contains: 'a' },
      sub2: { is: ['~a', 'b'], contains: '' },
    })
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (is, contains) => {
        expect(readTexts(writeTexts({ is, contains }))).toEqual({ is, contains })
      }),
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
