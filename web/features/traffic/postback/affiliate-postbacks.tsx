import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { query } from '#web/api/query.ts'
import { PostbackTable } from '#web/features/traffic/postback/postback-table.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useCan } from '#web/shell/access.ts'

/** An affiliate's postbacks as its staff see them; only the affiliate, or who acts as it, changes them. */
export function AffiliatePostbacks({ affiliate }: { affiliate: string }) {
  const { t } = useTranslation('postback')
  const mayAct = useCan()('affiliate.act_as')
  const found = useQuery(query(affiliatePostbackApi.list, { params: { uuid: affiliate } }))
  return (
    <QueryPage query={found} failed={t('theirs.failed')}>
      {({ list }) => (
        <Stack miw={0}>
          {list.length > 0 && (
            <Text fz={13} c="dimmed">
              {t(mayAct ? 'theirs.actAs' : 'theirs.readOnly')}
            </Text>
          )}
          <PostbackTable list={list} empty={{ text: t('theirs.empty') }} />
        </Stack>
      )}
    </QueryPage>
  )
}
