import { Button, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { partnerOfferApi, type partnerOfferDetail } from '#contract/offers/partner-offer.ts'
import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { query, useSave } from '#web/api/query.ts'
import { YourManager } from '#web/your-manager.tsx'
import { Panel } from '#web/kit/page/panel.tsx'

/** Where an affiliate without access stands, and the way to ask for it. */
export function RequestAccess({ offer }: { offer: z.output<typeof partnerOfferDetail> }) {
  const { t } = useTranslation('partnerPage')
  const [message, setMessage] = useState('')
  const { data: defaults } = useQuery(query(affiliateSettingApi.defaults, {}))
  const needed = defaults?.access_message === true
  const ask = useSave(partnerOfferApi.requestAccess, { invalidate: [partnerOfferApi.get, partnerOfferApi.list] })
  const mayAsk = offer.access === 'none' || (offer.access === 'rejected' && offer.privacy !== 'public')
  return (
    <Panel title={t(`request.${offer.access}`)}>
      {offer.access !== 'approved' && (
        <Text size="sm">{t(offer.access === 'rejected' && !mayAsk ? 'request.blockedText' : `request.${offer.access}Text`)}</Text>
      )}
      {offer.access_reason !== '' && <Text size="sm">{t('reason', { reason: offer.access_reason })}</Text>}
      {offer.access === 'pending' && offer.access_message !== '' && (
        <Text size="sm" c="dimmed">
          {t('yourMessage', { message: offer.access_message })}
        </Text>
      )}
      {(offer.access === 'rejected' || offer.access === 'blocked' || offer.access === 'pending') && <YourManager inside />}
      {mayAsk && (
        <div>
          <Textarea
            label={t('message')}
            withAsterisk={needed}
            aria-required={needed || undefined}
            description={t('messageHelp')}
            autosize
            minRows={2}
            maxLength={1000}
            maw={640}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <Button
            mt="md"
            loading={ask.isPending}
            disabled={needed && message.trim() === ''}
            onClick={() => ask.mutate({ params: { uuid: offer.uuid }, body: { message } })}
          >
            {t('ask')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
