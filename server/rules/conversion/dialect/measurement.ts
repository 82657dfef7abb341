import { preset, type Preset } from './preset.ts'

/**
 * Mobile measurement partners (reference: postback-dialects 4): they send installs without the name of an event, events
 * with one, and what was blocked with why.
 */
export const MEASUREMENT: readonly Preset[] = [
  preset(
    'appsflyer',
    'AppsFlyer',
    'measurement',
    {
      link: 'clickid={click_id}',
      query: 'click_id=(clickid)&goal=(event-name)&amount=(orig-monetary)&currency=(currency)&rejection_reason=(blocked-reason)',
      // 2: rejection_reason
      version: 2,
    },
    {
      path: '/aff_goal',
      names: {
        click_id: 'transaction_id clickid click_id',
        goal: 'goal_id event_name',
        amount: 'amount event_revenue monetary',
        rejection: 'rejection_reason blocked_reason',
        token: 'security_token',
        ignored: 'a google_aid ios_ifa conv_ip conversion_event_datetime event_value event_revenue_usd revenue_usd campaign pid',
      },
    },
  ),
  preset(
    'adjust',
    'Adjust',
    'measurement',
    {
      // whole addresses, encoded: the web puts them together
      link: 'install_callback={postback}&event_callback_EVENT_TOKEN={postback}',
      query:
        'click_id={click_id}&goal={event_name}&activity_kind={activity_kind}&amount={revenue_float}&currency={currency}&rejection_reason={rejection_reason}',
      // 2: events by their token or kind, and revenue_float is the sale
      version: 2,
    },
    {
      names: {
        click_id: 'click_id',
        goal: 'event_name event event_token activity_kind',
        sale: 'revenue_float sale_amount',
        currency: 'currency',
        rejection: 'rejection_reason',
        status: 'status',
        ignored: 'revenue gps_adid gaid idfa adid city country created_at installed_at click_time tracker tracker_name',
      },
    },
  ),
  preset(
    'branch',
    'Branch',
    'measurement',
    {
      link: '~click_id={click_id}',
      query: 'click_id=${(last_attributed_touch_data.~click_id)!}&goal=${(name)!}&amount=${(event_data.revenue_in_usd)!}&currency=USD',
    },
    {
      names: {
        click_id: 'click_id',
        goal: 'event_id name',
        amount: 'sale_amount',
        ignored: 'gaid idfa',
      },
    },
  ),
  preset(
    'singular',
    'Singular',
    'measurement',
    { link: 'cl={click_id}', query: 'click_id={cl?Ohma}&goal={EVTNAME}&amount={AMOUNT}' },
    { names: { click_id: 'cl_id cl', goal: 'event', amount: 'amount', ignored: 'app_id ip timestamp' } },
  ),
]
