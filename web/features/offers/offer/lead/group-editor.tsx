import { ActionIcon, Group, Paper, Stack } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiOfferApi, GROUP_STRATEGIES, type ProductChoice } from '#contract/leads/api-offer.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from './lead.module.css'
import { memberOf, type ApiOfferValues } from './lead-values.ts'
import { MemberEditor } from './member-editor.tsx'
import { TestFirst } from './test-first.tsx'

/** One group: how it chooses, and the products it chooses among, moved by buttons. */
export function GroupEditor({ of, at }: { of: SaveForm<ApiOfferValues>; at: number }) {
  const { t } = useTranslation('offer')
  const [untested, setUntested] = useState<ProductChoice>()
  const { groups } = of.values
  const group = groups[at]
  if (group === undefined) return null
  const path = `groups.${at}` as const
  const number = at + 1
  const move = (to: number) => of.form.reorderListItem('groups', { from: at, to })
  const add = (product: ProductChoice) => of.form.insertListItem(`${path}.members`, memberOf(product))
  const taken = groups.flatMap(({ members }) => members.map(({ product_uuid }) => product_uuid))
  return (
    <Paper withBorder p={16} component="section" aria-label={t('lead.group', { number })}>
      <Stack gap={12}>
        <Group justify="space-between" gap={8}>
          <h2 className={classes.title}>{t('lead.group', { number })}</h2>
          <Group gap={2}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              disabled={at === 0}
              aria-label={t('lead.groupUp', { number })}
              onClick={() => move(at - 1)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              disabled={at === groups.length - 1}
              aria-label={t('lead.groupDown', { number })}
              onClick={() => move(at + 1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t('lead.groupRemove', { number })}
              onClick={() => of.form.removeListItem('groups', at)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        <div className={classes.fields}>
          <SelectField
            of={of}
            name={`${path}.strategy`}
            label={t('lead.strategy')}
            options={GROUP_STRATEGIES.map((value) => ({ value, label: t(`lead.strategy.${value}`) }))}
            help={t(`lead.strategyHelp.${group.strategy}`)}
          />
          {group.strategy === 'best_rate' && (
            <>
              <NumberField
                of={of}
                name={`${path}.least_sample`}
                label={t('lead.leastSample')}
                help={t('lead.leastSampleHelp')}
                whole
                required
              />
              <NumberField
                of={of}
                name={`${path}.explore`}
                label={t('lead.explore')}
                unit="%"
                help={t('lead.exploreHelp')}
                whole
                required
              />
            </>
          )}
        </div>
        {group.members.length === 0 && <p className="ohma-soft">{t('lead.noProducts')}</p>}
        {group.members.map((member, place) => (
          <MemberEditor key={member.key} of={of} group={at} place={place} />
        ))}
        <ReferenceSelect
          label={t('lead.addProduct')}
          description={t('lead.addProductHelp')}
          endpoint={apiOfferApi.products}
          only={{ integration_type: of.values.integration_type }}
          value={null}
          chosen={null}
          disabled={group.members.length >= 50}
          onChoose={(_one, product) => {
            if (product === undefined || taken.includes(product.uuid)) return
            if (product.ready) add(product)
            else setUntested(product)
          }}
        />
        {untested !== undefined && (
          <TestFirst
            product={untested}
            onReady={() => {
              add(untested)
              setUntested(undefined)
            }}
            onClose={() => setUntested(undefined)}
          />
        )}
      </Stack>
    </Paper>
  )
}
