import { preset, type Preset } from './preset.ts'

/*
 * Affiliate platforms, as their documentation says (reference: postback-dialects 2). A name stands here where it is not
 * among those that are read anyway, or means another thing than it does there.
 */
export const NETWORKS: readonly Preset[] = [
  preset(
    'affise',
    'Affise',
    'network',
    { link: 'sub1={click_id}', query: 'click_id={sub1}&payout={sum}&currency={currency}&txn_id={transactionid}&status={status}' },
    {
      names: {
        click_id: 'clickid click_id',
        txn_id: 'action_id',
        goal: 'goal',
        amount: 'sum',
        status: 'status',
        token: 'secure',
        reason: 'comment',
      },
      statuses: { approved: '1', pending: '2', declined: '3', hold: '5' },
    },
  ),
  preset(
    'tune',
    'TUNE (HasOffers)',
    'network',
    {
      link: 'aff_click_id={click_id}',
      query: 'click_id={aff_click_id}&payout={payout}&sale_amount={sale_amount}&currency={currency}&txn_id={transaction_id}',
      version: 3,
    },
    {
      path: '/aff_* /SP#',
      names: {
        click_id: 'transaction_id',
        goal: 'goal_id',
        amount: 'amount',
        txn_id: 'adv_sub',
        token: 'security_token',
        ignored: 'a offer_id aff_id adv_sub2 adv_sub3 adv_sub4 adv_sub5 adv_unique1 conv_ip device_brand device_model mobile_carrier',
      },
    },
  ),
  preset(
    'everflow',
    'Everflow',
    'network',
    {
      link: 'sub1={click_id}',
      query: 'click_id={sub1}&payout={payout_amount}&sale_amount={sale_amount}&txn_id={transaction_id}',
      version: 2,
    },
    {
      path: '/',
      names: {
        click_id: 'transaction_id _ef_transaction_id',
        goal: 'event_id adv_event_id event_name',
        txn_id: 'order_id',
        token: 'verification_token',
        ignored: 'nid oid affid aid coupon_code user_id user_ip user_agent',
      },
      statuses: { declined: 'invalid' },
    },
  ),
  preset(
    'cake',
    'CAKE',
    'network',
    // 2: ect is the sale; 3: a second path
    { link: 's2={click_id}', query: 'click_id=#s2#&payout=#price#&txn_id=#tid#', version: 3 },
    {
      path: '/p.ashx /api/2/conversion.json',
      names: {
        click_id: 'r click_id',
        txn_id: 't',
        goal: 'e',
        amount: 'p amount',
        sale: 'ect',
        currency: 'eccu',
        ignored: 'o a u f ap ecst ectx ecsh ecd ecv ecc ecco ecrg ecsk ecqu ecpr ecld',
      },
      statuses: { declined: 'scrubbed' },
    },
  ),
  preset(
    'scaleo',
    'Scaleo',
    'network',
    {
      link: 'aff_click_id={click_id}',
      // `payout` is on its own paths what it pays its affiliates
      query: 'click_id={aff_click_id}&status={conv_status}&revenue={payout}&currency={currency}',
      version: 3,
    },
    {
      path: '/track/* /api/v2/network/tracking/*',
      names: {
        click_id: 'click_id',
        token: 'token',
        goal: 'goal_id goal_alias',
        status: 'conv_status',
        sale: 'amount',
        amount: 'revenue',
        txn_id: 'adv_order_id',
        ignored: 'payout adv_user_id adv_track_id approved_status pending_status rejected_status trash_status',
      },
    },
  ),
  preset(
    'trackier',
    'Trackier',
    'network',
    { link: 'p1={click_id}', query: 'click_id={p1}&payout={payout}&currency={currency}&txn_id={txn_id}&status={status}' },
    {
      path: '/acquisition',
      names: {
        click_id: 'click_id',
        token: 'security_token',
        txn_id: 'txn_id',
        amount: 'sale_amount',
        goal: 'goal_value goal_vlaue goal_id',
        ignored: 'revenue gaid idfa',
      },
    },
  ),
  preset(
    'offer18',
    'Offer18',
    'network',
    { link: 'aff_click_id={click_id}', query: 'click_id={aff_click_id}&revenue={payout}&currency={currency}', version: 2 },
    { path: '/p', names: { click_id: 'tid', goal: 'event', amount: 'sale', ignored: 'mid payout', txn_id: 'adv_sub1' } },
  ),
  preset(
    'swaarm',
    'Swaarm',
    'network',
    { link: 'pub_click_id={click_id}', query: 'click_id=#{click.publisher.clickId}&payout=#{payout.theyGetInDollars}&currency=USD' },
    {
      names: {
        click_id: 'click_id',
        goal: 'event_id',
        amount: 'sale_amount',
        rejection: 'rejection_reason rejected_reason_value',
        txn_id: 'postback_id',
        ignored: 'event_value pea_chain publisher_sub_id os_name',
      },
    },
  ),
  preset(
    'fuseclick',
    'FuseClick',
    'network',
    { link: 'aff_click_id={click_id}', query: '' },
    { path: '/pb', names: { click_id: 'tid', token: 'adv_sectkn', goal: 'e_tkn', amount: 'adv_cvalue', txn_id: 'adv_sid' } },
  ),
  preset(
    'impact',
    'impact.com',
    'network',
    { link: 'subId1={click_id}', query: 'click_id={SubId1}&txn_id={ActionId}&payout={Payout}&status={Status}', version: 2 },
    {
      path: '/Advertisers/*/Conversions',
      names: {
        click_id: 'ClickId',
        txn_id: 'OrderId',
        goal: 'EventTypeId ActionTrackerId EventTypeCode',
        currency: 'CurrencyCode',
        // of all lines, once composed.ts has added them up
        amount: 'ItemPrice1 ItemSubTotal1',
        status: 'status',
        ignored: 'CampaignId EventDate ItemSku1 ItemName1 ItemCategory1 OrderPromoCode CustomerId',
      },
      statuses: { declined: 'reversed' },
    },
  ),
  preset(
    'partnerize',
    'Partnerize',
    'network',
    { link: 'pubref={click_id}', query: '' },
    {
      path: '/conversion/**',
      names: {
        click_id: 'clickref',
        txn_id: 'conversionref',
        currency: 'currency',
        amount: 'value',
        ignored: 'tracking_mode tmethod tplatform campaign country category sku quantity',
      },
    },
  ),
  preset(
    'admitad',
    'Admitad',
    'network',
    { link: 'subid={click_id}', query: 'click_id=[[[subid]]]&status=[[[payment_status]]]&payout=[[[payment_sum]]]' },
    {
      path: '/tt',
      names: {
        click_id: 'uid',
        token: 'postback_key',
        txn_id: 'order_id',
        amount: 'price',
        currency: 'currency_code',
        goal: 'action_code',
        ignored: 'postback campaign_code tariff_code payment_type quantity position_id position_count promocode channel',
      },
    },
  ),
]
