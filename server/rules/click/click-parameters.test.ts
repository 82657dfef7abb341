import { describe, expect, it } from 'vitest'
import { decodeValue, furtherAds, readClickParameters, readId } from '#server/rules/click/click-parameters.ts'

describe('click parameters', () => {
  it('are known by the names other systems use', () => {
    expect(readClickParameters('o=1&aff_id=2&aff_sub=x&s2=y&sub_id_3=z&p10=q&ref_id=abc')).toMatchObject({
      offer_id: '1',
      pid: '2',
      sub1: 'x',
      sub2: 'y',
      sub3: 'z',
      sub10: 'q',
      click_id: 'abc',
      source: '',
    })
  })

  it('count once, the first time', () => {
    expect(readClickParameters('sub1=a&sub1=b&aff_sub=c').sub1).toBe('a')
  })

  it('are decoded, cleaned and cut, never refused', () => {
    expect(decodeValue('a+b%20c%2Bd')).toBe('a b c+d')
    expect(decodeValue('100%&%zz%4')).toBe('100%&%zz%4')
    expect(decodeValue('%D1%88')).toBe('ш')
    expect(decodeValue('%ff%C3')).toBe('\ufffd\ufffd')
    expect(decodeValue('a%0d%0aSet-Cookie:%00x%7f')).toBe('aSet-Cookie:x')
    expect(decodeValue('x'.repeat(300))).toHaveLength(255)
    expect(Array.from(decodeValue('%F0%9F%98%80'.repeat(300)))).toHaveLength(255)
    expect(readClickParameters('&&=&a&=b&offer_id').offer_id).toBe('')
  })

  it('keep the first id of an ad network whole, by the name it came under', () => {
    const long = 'Cj0K'.repeat(100)
    expect(readClickParameters(`gclid=&fbclid=${long}&gclid=a%2Bb`)).toMatchObject({
      ad_param: 'fbclid',
      ad_id: long,
      unread: 'gclid=a%2Bb',
    })
    const crowd = Array.from({ length: 60 }, (_value, index) => `utm_${index}=${'z'.repeat(20)}`).join('&')
    const { ad_param, unread } = readClickParameters(`fbclid=F&${crowd}&gclid=G%2B1&wbraid=W`)
    expect([ad_param, unread.slice(0, 24), unread.length]).toEqual(['fbclid', 'gclid=G%2B1&wbraid=W&utm', 533])
    expect(furtherAds(unread)).toEqual([
      ['gclid', 'G+1'],
      ['wbraid', 'W'],
    ])
    // case matters to those who made it
    expect(readClickParameters('GCLID=x')).toMatchObject({ ad_param: '', ad_id: '', unread: 'GCLID=x' })
  })

  it('keep what nothing took as it came, the beginning of it where it is long', () => {
    expect(readClickParameters('utm_source=a%20b&sub1=x&&sub1=second&flag&=').unread).toBe('utm_source=a%20b&sub1=second&flag&=')
    expect(readClickParameters(`u=1&b=${'y'.repeat(600)}&c=3`).unread).toBe(`u=1&b=${'y'.repeat(600)}`.slice(0, 512))
  })

  it('give ids only for digits', () => {
    expect(['', '0', '12', '007', '-1', '1.5', '1e3', ' 1', '99999999999'].map(readId)).toEqual([0, 0, 12, 7, -1, -1, -1, -1, -1])
  })
})
