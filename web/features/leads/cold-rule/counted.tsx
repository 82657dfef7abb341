import { Stack, Table } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ColdRuleCounted, ColdTrigger } from '#contract/leads/cold-rule.ts'
import { skippedOf, skippedWords } from '#web/features/leads/cold-rule/rule-words.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { Country } from '#web/kit/show/country.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

/** Whom a rule would take now: how many, whom not and why, and the first of them masked. `by`: what it begins with. */
export function Counted({ of, by }: { of: ColdRuleCounted; by: ColdTrigger['kind'] }) {
  const { t } = useTranslation('coldRule')
  const { matched, more, queued, skipped, sample } = of
  const words = wordsOf(t)
  return (
    <Stack gap="md" miw={0}>
      <Figures width={130}>
        <Figure name={t('matched')} value={`${integer(matched)}${more ? '+' : ''}`} />
        <Figure name={t('wouldTake')} value={integer(queued)} />
        <Figure name={t('skipped')} value={integer(skippedOf(skipped))} />
      </Figures>
      {(by === 'event' || by === 'call_status') && <p className="ohma-soft">{t('backlog')}</p>}
      {skippedOf(skipped) > 0 && (
        <p style={{ overflowWrap: 'anywhere' }}>
          <span className="ohma-soft">{t('skipped')}: </span>
          {skippedWords(skipped, words)}
        </p>
      )}
      {sample.length === 0 ? (
        <p className="ohma-soft">{t('sample.none')}</p>
      ) : (
        <>
          <p className="ohma-soft">{t('sample', { number: integer(sample.length) })}</p>
          <TableScroll label={t('sample', { number: integer(sample.length) })} minWidth={620}>
            <Table verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('person')}</Table.Th>
                  <Table.Th>{t('field.country')}</Table.Th>
                  <Table.Th>{t('field.affiliate')}</Table.Th>
                  <Table.Th>{t('field.session_status')}</Table.Th>
                  <Table.Th>{t('came')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {sample.map((person) => (
                  <Table.Tr key={person.uuid}>
                    <Table.Td>
                      {person.name || UNKNOWN}
                      <div className="ohma-soft">{[person.email, person.phone].filter(Boolean).join(' · ')}</div>
                    </Table.Td>
                    <Table.Td>
                      <Country code={person.country} />
                    </Table.Td>
                    <Table.Td>{person.affiliate?.name ?? UNKNOWN}</Table.Td>
                    <Table.Td>
                      {words(`userSession:status.${person.status}`)}
                      {person.call_status !== null && <div className="ohma-soft">{words(`userSession:call.${person.call_status}`)}</div>}
                    </Table.Td>
                    <Table.Td>
                      <Moment at={person.received_at} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        </>
      )}
    </Stack>
  )
}
