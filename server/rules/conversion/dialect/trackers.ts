import { preset, type Preset } from './preset.ts'

/** Trackers that advertisers run too (reference: postback-dialects 3). */
export const TRACKERS: readonly Preset[] = [
  preset(
    'keitaro',
    'Keitaro',
    'tracker',
    { link: 'external_id={click_id}', query: 'click_id={external_id}&revenue={revenue}&currency={currency}&txn_id={tid}&status={status}' },
    {
      path: '/*/postback',
      names: {
        click_id: 'subid',
        txn_id: 'tid',
        amount: 'payout revenue',
        status: 'status',
        currency: 'currency',
        ignored: 'cost from return lead_status sale_status rejected_status reject_status ignore_status trash_status rebill_status',
      },
      statuses: { pending: 'lead', approved: 'sale rebill', declined: 'rejected', trash: 'trash' },
    },
  ),
  preset(
    'binom',
    'Binom',
    'tracker',
    { link: 'externalid={click_id}', query: 'click_id={externalid}&payout={payout}&currency={cnv_currency}&status={cnv_status}' },
    {
      path: '/click.php',
      names: {
        click_id: 'cnv_id',
        amount: 'payout',
        status: 'cnv_status',
        currency: 'cnv_currency',
        reason: 'cnv_status2',
        ignored: 'to_offer disable_postback',
      },
    },
  ),
  preset(
    'voluum',
    'Voluum',
    'tracker',
    { link: 'externalid={click_id}', query: 'click_id={externalid}&payout={payout}' },
    {
      names: {
        click_id: 'cid c',
        amount: 'payout p',
        txn_id: 'txid',
        currency: 'currency',
        goal: 'et',
        ignored: 'param1 param2 param3 param4 param5',
      },
    },
  ),
  preset(
    'redtrack',
    'RedTrack',
    'tracker',
    { link: 'ref_id={click_id}', query: 'click_id={ref_id}&payout={sum}&goal={type}&status={status}' },
    {
      names: { click_id: 'clickid', amount: 'sum', goal: 'type', status: 'status', txn_id: 'rdtk_event_id eventid', currency: 'currency' },
    },
  ),
  preset(
    'bemob',
    'BeMob',
    'tracker',
    { link: 'externalid={click_id}', query: 'click_id={externalId}&payout={payout}&txn_id={txid}&status={status}' },
    { names: { click_id: 'cid', amount: 'payout', txn_id: 'txid', status: 'status' }, statuses: { pending: 'new' } },
  ),
]
