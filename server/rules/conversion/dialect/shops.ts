import { preset, type Preset } from './preset.ts'

/**
 * Shops and their partner software (reference: postback-dialects 5). An order holds hundreds of values: only those that are
 * named are looked at. A shop's theme or plugin has to carry our id into the order under one of the names.
 */
export const SHOPS: readonly Preset[] = [
  preset(
    'shopify',
    'Shopify',
    'shop',
    { link: 'ohma_click={click_id}', query: '', topics: ['orders/create', 'orders/updated', 'orders/cancelled', 'refunds/create'] },
    {
      methods: ['POST'],
      others: 'pass',
      numbers: 'point',
      names: {
        click_id:
          'note_attributes[name=ohma_click].value note_attributes[name=click_id].value landing_site?ohma_click landing_site?click_id landing_site?clickid',
        txn_id: 'id',
        amount: 'total_price',
        currency: 'currency',
        status: 'financial_status',
        rejection: 'cancelled_at',
        test: 'test',
      },
      statuses: { pending: 'pending authorized partially_paid', approved: 'paid partially_refunded', declined: 'refunded voided' },
      signature: { header: 'x-shopify-hmac-sha256', encoding: 'base64' },
    },
  ),
  preset(
    'woocommerce',
    'WooCommerce',
    'shop',
    // which comes with refunds too
    { link: 'ohma_click={click_id}', query: '', topics: ['order.created', 'order.updated'] },
    {
      methods: ['POST'],
      others: 'pass',
      numbers: 'point',
      names: {
        click_id:
          'meta_data[key=ohma_click].value meta_data[key=click_id].value meta_data[key=_wc_order_attribution_session_entry].value?ohma_click meta_data[key=_wc_order_attribution_session_entry].value?click_id',
        txn_id: 'id',
        amount: 'total',
        currency: 'currency',
        status: 'status',
      },
      statuses: {
        approved: 'processing completed',
        pending: 'pending on-hold',
        declined: 'cancelled refunded failed',
        trash: 'trash',
      },
      signature: { header: 'x-wc-webhook-signature', encoding: 'base64' },
    },
  ),
  preset(
    'tapfiliate',
    'Tapfiliate',
    'shop',
    {
      link: 'subid1={click_id}',
      query: 'click_id=${conversion.click.meta_data[subid1]}&amount=${conversion.amount}&txn_id=${conversion.id}',
      version: 2,
    },
    {
      path: '/*/pb/con/c /1.6/conversions',
      names: {
        click_id: 'click_id subid',
        txn_id: 'external_id order_id',
        amount: 'amount',
        currency: 'currency',
        status: 'approved',
        ignored: 'customer_id coupon referral_code',
      },
      statuses: { approved: 'true', pending: 'false' },
    },
  ),
  preset(
    'postaffiliatepro',
    'Post Affiliate Pro',
    'shop',
    { link: 'data1={click_id}', query: '' },
    {
      path: '/scripts/*',
      names: {
        click_id: 'sale.0.d1 data1',
        amount: 'TotalCost sale.0.t',
        txn_id: 'OrderID sale.0.o',
        currency: 'sale.0.cr',
        status: 'sale.0.s',
        goal: 'sale.0.ac',
        ignored:
          'visitorId accountId url referrer tracking ip ProductID sale.0.p sale.0.a sale.0.c sale.0.ts sale.0.f sale.0.b sale.0.ch sale.0.cc sale.0.cp sale.0.dndc sale.0.d2 sale.0.d3 sale.0.d4 sale.0.d5',
      },
      statuses: { approved: 'A', pending: 'P', declined: 'D' },
    },
  ),
]
