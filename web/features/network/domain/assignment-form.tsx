import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { domainApi, MOST_ASSIGNMENTS, type domainDetail } from '#contract/network/domain.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { CertificateField } from '#web/features/network/domain/certificate-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'

type Detail = z.output<typeof domainDetail>

/** Who gets the certificate of a domain, and of a tracking domain whose links it is for. */
export function AssignmentForm({ of: domain }: { of: Detail }) {
  const { t } = useTranslation('domain')
  const form = useSaveForm({
    endpoint: domainApi.update,
    record: domain,
    valuesOf: ({ certificate, assignments }: Detail) => ({
      certificate,
      assignments: assignments.map(({ affiliate, offer }) => ({
        affiliate_uuid: affiliate?.uuid ?? null,
        offer_uuid: offer?.uuid ?? null,
      })),
    }),
    toInput: (values, { version }) => ({ params: { uuid: domain.uuid }, body: { ...values, version } }),
    invalidate: [domainApi.list, domainApi.get],
  })
  const rows = form.values.assignments
  const set = (assignments: typeof rows) => form.form.setFieldValue('assignments', assignments)
  return (
    <form aria-label={t('settings')} noValidate onSubmit={form.submit}>
      <Panel title={t('settings')}>
        <FormProblems of={form} />
        <CertificateField of={form} />
        {domain.kind === 'tracking' && (
          <Stack gap={10} role="group" aria-label={t('assignments')}>
            <div>
              <Text fw={550} fz={14}>
                {t('assignments')}
              </Text>
              <Text fz={13} c="dimmed">
                {t('assignmentsHelp')}
              </Text>
            </div>
            {rows.map((_row, at) => (
              // a row has no name of its own
              // oxlint-disable-next-line react/no-array-index-key
              <Group key={at} gap="xs" align="flex-end" wrap="nowrap">
                <div style={{ flex: 1, minWidth: 0 }}>
                  <ReferenceField
                    of={form}
                    name={`assignments.${at}.affiliate_uuid`}
                    label={t('affiliate')}
                    endpoint={affiliateApi.list}
                    chosen={domain.assignments[at]?.affiliate ?? null}
                    placeholder={t('anyAffiliate')}
                  />
                </div>
                <div style={{ flex: 1, minWidth: 0 }}>
                  <ReferenceField
                    of={form}
                    name={`assignments.${at}.offer_uuid`}
                    label={t('offer')}
                    endpoint={offerApi.options}
                    chosen={domain.assignments[at]?.offer ?? null}
                    placeholder={t('anyOffer')}
                  />
                </div>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size={36}
                  aria-label={t('unassign')}
                  onClick={() => set(rows.filter((_one, index) => index !== at))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            ))}
            {rows.length < MOST_ASSIGNMENTS && (
              <Group>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconPlus size={14} aria-hidden />}
                  onClick={() => set([...rows, { affiliate_uuid: null, offer_uuid: null }])}
                >
                  {t('assign')}
                </Button>
              </Group>
            )}
          </Stack>
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={!form.dirty || form.saving} onClick={form.discard}>
            {t('discard')}
          </Button>
          <Button type="submit" disabled={!form.dirty} loading={form.saving}>
            {t('save')}
          </Button>
        </Group>
      </Panel>
    </form>
  )
}
