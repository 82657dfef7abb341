import { expect, test } from 'vitest'
import { postbackOf, TRACKER_IDS, TRACKERS, withTracker, type TrackerId } from '#web/features/offers/partner-offer/trackers.ts'

test.each<[TrackerId, string, string]>([
  [
    'keitaro',
    'https://t.example/a1b2c3d/postback?subid=REPLACE&payout=OPTIONAL',
    'https://t.example/a1b2c3d/postback?subid={aff_click_id}&tid={conversion_id}&payout={payout}&currency={currency}&status={status:pending=lead,hold=lead,approved=sale,declined=rejected,trash=rejected}',
  ],
  [
    'binom',
    't.example',
    'https://t.example/click.php?cnv_id={aff_click_id}&payout={payout}&cnv_status={status:hold=approved}&cnv_currency={currency}',
  ],
  [
    'voluum',
    'https://t.example/',
    'https://t.example/postback?cid={aff_click_id}&payout={payout}&currency={currency}&txid={conversion_id}',
  ],
  [
    'redtrack',
    'https://t.example/postback?clickid={replace_me}&sum={replace_or_remove}',
    'https://t.example/postback?clickid={aff_click_id}&sum={payout}&currency={currency}&rdtk_event_id={conversion_id}',
  ],
  [
    'bemob',
    'http://mlhhe.bemobtrcks.com/postback?cid=REPLACE&payout=OPTIONAL&txid=OPTIONAL',
    'http://mlhhe.bemobtrcks.com/postback?cid={aff_click_id}&payout={payout}&txid={conversion_id}&status={status:hold=approved}',
  ],
])('the postback of %s at %s carries our macros', (id, address, expected) => {
  expect(postbackOf(id, address)).toBe(expected)
})

test('what is no address gives no postback, nor does one of Keitaro without its key', () => {
  for (const address of ['', '  ', 'http://', 'a b', 'localhost', 'javascript:alert(1)'])
    expect(postbackOf('voluum', address), address).toBeUndefined()
  expect(postbackOf('keitaro', 'https://t.example')).toBeUndefined()
})

test('choosing a tracker fills its tokens in, another one replaces them, and what was typed stays', () => {
  const keitaro = withTracker({ sub2: 'mine' }, 'keitaro')
  expect(keitaro).toEqual({ click_id: '{subid}', sub1: '{sub_id_1}', sub2: 'mine', source: '{source}' })
  expect(withTracker(keitaro, 'bemob')).toEqual({ click_id: '{clickId}', sub1: '', sub2: 'mine', source: '' })
  expect(withTracker({ ...keitaro, click_id: '{own}' }, null)).toEqual({ click_id: '{own}', sub1: '', sub2: 'mine', source: '' })
  expect(TRACKER_IDS.map((id) => TRACKERS[id].link.click_id)).toEqual(['{subid}', '{clickid}', '{clickid}', '{clickid}', '{clickId}'])
})
