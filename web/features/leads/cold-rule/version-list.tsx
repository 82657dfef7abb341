import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { coldRuleApi, type ColdRuleDetail } from '#contract/leads/cold-rule.ts'
import { query } from '#web/api/query.ts'
import { versionDiff } from '#web/features/leads/cold-rule/version-diff.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { DifferenceList } from '#web/kit/show/difference-list.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'

/** What each version of a rule changed, the latest first. */
export function VersionList({ of }: { of: Pick<ColdRuleDetail, 'uuid' | 'live_number'> }) {
  const { t } = useTranslation('coldRule')
  const found = useQuery(query(coldRuleApi.versions, { params: { uuid: of.uuid } }, { quiet: true }))
  return (
    <QueryPage query={found} failed={t('versions.failed')}>
      {({ list, names }) => (
        <Stack gap="lg" component="ol" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {list.map((version, at) => (
            <li key={version.number}>
              <div style={{ display: 'flex', flexWrap: 'wrap', gap: 10, alignItems: 'center', marginBottom: 8 }}>
                <strong>{t('version', { number: version.number })}</strong>
                {version.number === of.live_number && <StatusBadge tone="good" label={t('version.live')} />}
                <span className="ohma-soft">
                  <Moment at={version.created_at} /> {version.by !== '' && `· ${version.by}`}
                </span>
              </div>
              <DifferenceList
                lines={versionDiff(version, list[at + 1], names, wordsOf(t))}
                words={{ before: t('version.before'), after: t('version.after') }}
              />
            </li>
          ))}
        </Stack>
      )}
    </QueryPage>
  )
}
