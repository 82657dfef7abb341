import { Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { query } from '#web/api/query.ts'
import { MacroHelp } from '#web/features/traffic/postback/macro-help.tsx'
import { MessageTrial } from '#web/features/traffic/postback/message-trial.tsx'
import { messageOf, messageValues, NO_MESSAGE } from '#web/features/traffic/postback/postback-values.ts'
import { Panel } from '#web/kit/page/panel.tsx'

/** Tries an address, or a postback with all that goes along: what it becomes, whether it can be reached, and what it answers. */
export function PostbackLab() {
  const { t } = useTranslation('postback')
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<string | null>()
  const saved = useQuery(query(ownPostbackApi.list, {})).data?.list ?? []
  // the one that is in use is what people come to try
  const postback = chosen === undefined ? saved[0] : saved.find(({ uuid }) => uuid === chosen)
  const url = typed ?? postback?.url ?? ''
  const values = postback === undefined ? NO_MESSAGE : messageValues(postback)
  return (
    <Panel title={t('lab.title')} text={t('lab.text')}>
      {saved.length > 0 && (
        <Select
          label={t('lab.saved')}
          data={saved.map((one) => ({ value: one.uuid, label: `${one.method} ${one.url}` }))}
          placeholder={t('lab.savedNone')}
          clearable
          value={postback?.uuid ?? null}
          onChange={(uuid) => {
            setChosen(uuid)
            setTyped(uuid === null ? '' : undefined)
          }}
        />
      )}
      <Textarea label={t('url')} autosize minRows={2} value={url} onChange={(event) => setTyped(event.currentTarget.value)} />
      <MacroHelp />
      <MessageTrial trial={{ ...messageOf({ ...values, url }), postback_uuid: postback?.uuid ?? null }} />
    </Panel>
  )
}
