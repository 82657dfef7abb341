import { Button, Divider, Group, Stack } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { useSave } from '#web/api/query.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { AffiliateLink } from '#web/features/offers/offer/detail/affiliate-link.tsx'
import { KeptLinks } from '#web/features/offers/offer/detail/kept-links.tsx'
import { AffiliateSelect } from '#web/features/offers/offer/detail/affiliate-select.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Until } from '#web/kit/show/until.tsx'
import { useCan } from '#web/shell/access.ts'
import { useRuntime } from '#web/shell/runtime.ts'

/** The addresses of an offer: where it leads, how results come back, the links of its affiliates, and one to try it. */
export function OfferLinks({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const can = useCan()
  const mayWrite = can('offer.write')
  const own = mayWrite && offer.editable
  const mayKeep = can('affiliate.write') && offer.status !== 'draft' && offer.type === 'direct'
  return (
    <Panel title={t('section.links')}>
      {offer.preview_url !== '' && <CopyField label={t('previewUrl')} text={offer.preview_url} />}
      {own && offer.type === 'direct' && offer.tracking_url !== '' && <CopyField label={t('trackingUrl')} text={offer.tracking_url} />}
      {own && offer.trafficback_url !== '' && <CopyField label={t('trafficbackUrl')} text={offer.trafficback_url} />}
      {own && offer.type === 'direct' && <Postback offer={offer} />}
      {offer.status !== 'draft' && (own || offer.preview_url !== '') && offer.type === 'direct' && <Divider />}
      {offer.status !== 'draft' && <AffiliateLink offer={offer} />}
      {mayKeep && <Divider />}
      {mayKeep && <KeptLinks offer={offer} />}
      {own && <Divider />}
      {own && <TestLink offer={offer} />}
    </Panel>
  )
}

function Postback({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const renew = useSave(offerApi.renewToken, { invalidate: [offerApi.get, offerApi.history] })
  const base = useRuntime().tracking_url
  const goal = offer.goals.find((one) => one.is_default)?.code
  const token = offer.postback_token

  const ask = async (toOwn: boolean) => {
    // the first token of its own takes nothing away; another one or none stops the one in use
    const sure =
      token === null ||
      (await confirm({
        title: t('token.title', { name: offer.title }),
        text: t('token.text'),
        action: t(toOwn ? 'token.renew' : 'token.drop'),
        danger: true,
      }))
    if (sure) renew.mutate({ params: { uuid: offer.uuid }, body: { own: toOwn } })
  }
  return (
    <Stack gap={10}>
      {token === null ? (
        <p className="ohma-soft">{t('token.advertisers')}</p>
      ) : (
        <CopyField
          label={t('token.address')}
          text={`${base}/postback?click_id={click_id}${goal === undefined ? '' : `&goal=${goal}`}&status=approved&amount={amount}&txn_id={order_id}&token=${token}`}
        />
      )}
      <Group gap={10}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={renew.isPending}
          onClick={() => void ask(true)}
        >
          {t(token === null ? 'token.make' : 'token.renew')}
        </Button>
        {token !== null && (
          <Button variant="subtle" color="gray" onClick={() => void ask(false)}>
            {t('token.drop')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function TestLink({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const [affiliate, setAffiliate] = useState<string | null>(null)
  const make = useSave(offerApi.testLink)
  return (
    <Stack gap={10}>
      <h3>{t('test.title')}</h3>
      <p className="ohma-soft">{t('test.text')}</p>
      <Group gap={10} align="flex-end">
        <AffiliateSelect
          value={affiliate}
          onChange={(uuid) => {
            setAffiliate(uuid)
            make.reset()
          }}
        />
        <Button
          variant="default"
          disabled={affiliate === null}
          loading={make.isPending}
          onClick={() => affiliate && make.mutate({ params: { uuid: offer.uuid }, body: { affiliate_uuid: affiliate } })}
        >
          {t('test.make')}
        </Button>
      </Group>
      {make.data && (
        <div role="status">
          <CopyField label={t('test.link')} text={make.data.url} />
          <p className="ohma-soft">
            {t('test.until')} <Until at={make.data.expires_at} />
          </p>
        </div>
      )}
    </Stack>
  )
}
