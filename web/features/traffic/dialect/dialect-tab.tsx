import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dialectApi } from '#contract/traffic/dialect.ts'
import { query } from '#web/api/query.ts'
import { CallTest } from '#web/features/traffic/dialect/call-test.tsx'
import { DialectForm } from '#web/features/traffic/dialect/dialect-form.tsx'
import type { DialectOf } from '#web/features/traffic/dialect/dialect-values.ts'
import { GoalAddresses } from '#web/features/traffic/dialect/goal-addresses.tsx'
import { TaughtWords } from '#web/features/traffic/dialect/taught-words.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useCan } from '#web/shell/access.ts'

/** The addresses an advertiser calls, how its system reports, and whether its first call came. */
export function DialectTab({ advertiser }: { advertiser: DialectOf }) {
  const { t } = useTranslation('dialect')
  const seesCalls = useCan()('postback.log')
  const saved = useQuery(query(dialectApi.get, { params: { uuid: advertiser.uuid } }))
  const known = useQuery(query(dialectApi.presets, {}))
  return (
    <QueryPage query={known} failed={t('failed')}>
      {({ list }) => (
        <QueryPage query={saved} failed={t('failed')}>
          {(stored) => (
            <Stack>
              <GoalAddresses advertiser={advertiser} stored={stored} presets={list} />
              {seesCalls && <CallTest advertiser={advertiser.uuid} />}
              <DialectForm advertiser={advertiser} stored={stored} presets={list} />
              <TaughtWords advertiser={advertiser.uuid} />
            </Stack>
          )}
        </QueryPage>
      )}
    </QueryPage>
  )
}
