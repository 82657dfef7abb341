import { describe, expect, it } from 'vitest'
import { choiceFilter, daysFilter, searchFilter } from '#web/kit/list/filter.ts'
import { listBody, readListUrl, writeListUrl } from '#web/kit/list/list-url.ts'

const filters = { search: searchFilter('Search'), status: choiceFilter('Status', []), created_from: daysFilter('Created', 'created_to') }
const keys = Object.keys(filters)
const read = (address: string) => readListUrl(new URLSearchParams(address), keys)

describe('the address of a list', () => {
  it('holds page, sorting, filters and columns and reads back what it wrote', () => {
    const address = 'search=ann&status=active&status=banned&page=3&count=100&sort=name&direction=asc&columns=id%2Cname'
    expect(writeListUrl(new URLSearchParams(), read(address), keys).toString()).toBe(address)
  })

  it('is empty for a list nobody touched', () => {
    expect(writeListUrl(new URLSearchParams(), read(''), keys).toString()).toBe('')
  })

  it('falls back to the defaults when a shared link is malformed', () => {
    expect(read('page=-4&count=5000&direction=sideways')).toMatchObject({ page: 1, count: 50, direction: undefined })
    expect(read('page=1e3')).toMatchObject({ page: 1 })
  })

  it('keeps parameters of others', () => {
    expect(writeListUrl(new URLSearchParams('tab=links&page=2'), { ...read(''), page: 1 }, keys).toString()).toBe('tab=links')
  })

  it('becomes the body of the request, without filters that are empty', () => {
    expect(listBody(read('status=active&sort=name'), filters)).toEqual({ status: ['active'], sort: 'name' })
    expect(listBody(read('search='), filters)).toEqual({})
    expect(listBody(read('created_from=2026-01-01&created_from=2026-01-31'), filters)).toEqual({
      created_from: '2026-01-01',
      created_to: '2026-01-31',
    })
    expect(listBody(read('created_from=&created_from=2026-01-31'), filters)).toEqual({ created_to: '2026-01-31' })
  })
})
