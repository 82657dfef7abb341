import { useTranslation } from '#web/i18n/use-translation.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { RawText } from '#web/kit/show/raw-text.tsx'

type SentPartsProps = { headers: readonly { name: string; value: string | null }[]; body: string }

/** What left beside the address; a secret is a row of dots. */
export function SentParts({ headers, body }: SentPartsProps) {
  const { t } = useTranslation('postbackMessage')
  return (
    <>
      {headers.length > 0 && (
        <Panel title={t('headers')}>
          <RawText>{headers.map(({ name, value }) => `${name}: ${value ?? '••••••'}`).join('\n')}</RawText>
        </Panel>
      )}
      {body !== '' && (
        <Panel title={t('body')}>
          <RawText>{body}</RawText>
        </Panel>
      )}
    </>
  )
}
