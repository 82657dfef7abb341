import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { allowListApi } from '#contract/people/allow-list.ts'
import { query } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'

/** From where a member of staff may sign in and work, in place of what the settings say of the role. */
export function PersonAddresses({ uuid }: { uuid: string }) {
  const { t } = useTranslation('security')
  const { data, error, refetch } = useQuery(query(allowListApi.of, { params: { uuid } }))
  return (
    <Panel title={t('addresses.person')} text={t('addresses.personText')}>
      {error && <ErrorState what={t('addresses.failed')} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data && <AddressForm uuid={uuid} list={data} />}
    </Panel>
  )
}

function AddressForm({ uuid, list }: { uuid: string; list: CallOutput<typeof allowListApi.of> }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation('common')
  const form = useSaveForm({
    endpoint: allowListApi.save,
    record: list,
    valuesOf: ({ allowed_ips }) => ({ allowed_ips }),
    toInput: ({ allowed_ips }, record) => ({ params: { uuid }, body: { allowed_ips, before: record.allowed_ips } }),
    invalidate: [allowListApi.of],
  })
  return (
    <PageForm of={form} label={t('addresses.person')} action={common('save')}>
      <TagsField
        of={form}
        name="allowed_ips"
        label={t('addresses.list')}
        help={t('addresses.listHelp', { address: list.own_address })}
        placeholder={list.of_role.length === 0 ? t('addresses.anywhere') : undefined}
        wide
      />
      <Text fz={13} c="dimmed">
        {list.of_role.length === 0 ? t('addresses.roleAnywhere') : t('addresses.roleList', { list: list.of_role.join(', ') })}
      </Text>
    </PageForm>
  )
}
